"""The estimator for tables: a row per time point, as scikit-learn's own tools hand them around."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from ._category import category_names
from ._estimator import MILCCI
from ._frames import labels_of_trials, rows_of_trials
from ._labels import column, to_columns
from ._parameters import FitParameters
from ._trials import Trials, as_trials, check_lengths

if TYPE_CHECKING:
    from typing_extensions import Self

Rows = NDArray[np.intp] | slice

#: Components where none are asked for: a transformer must do something without being told.
N_FIXED = 1


class MILCCIRows(TransformerMixin, FitParameters, BaseEstimator):  # type: ignore[misc]
    __doc__ = (FitParameters.__doc__ or "").replace(
        "Fits sparse components that adjust to the labels of trials.",
        """Fits sparse components to a table: rows are time points, columns are channels.

    For scikit-learn's pipelines and searches. The rows of a trial are in the order of time, with
    equal steps; `trial` and `labels` are metadata, which scikit-learn routes if it is told so
    (``sklearn.set_config(enable_metadata_routing=True)``, ``set_fit_request(trial=True)``).
    Without them every row is a trial of its own. If neither categories nor other components are
    asked for, there is one that does not adjust. `model_` is the fitted `MILCCI`.""",
    )

    model_: MILCCI

    def fit(self, X: Any, y: Any = None, *, trial: Any = None, labels: Any = None) -> Self:  # noqa: N803
        """Finds components, their variants and their traces.

        Parameters
        ----------
        X : array or DataFrame, row x channel
            NaN is missing.
        y : ignored
        trial : array of a value per row, optional
            Which trial a row belongs to. Rows of a trial need not follow one another.
        labels : DataFrame, array or list of a value, or tuple, per row, optional
            What the categories read; the same in all rows of a trial.
        """
        model = MILCCI(**self._asked())
        model.fit(self._split(self._validated(X, reset=True), trial, labels)[0])
        self.model_ = model
        return self

    def transform(self, X: Any, *, trial: Any = None, labels: Any = None) -> NDArray[np.float64]:  # noqa: N803
        """The traces of the rows, row x component, under the fitted components."""
        check_is_fitted(self)
        values = self._validated(X, reset=False)
        trials, rows = self._split(values, trial, labels)
        traces = np.empty((len(values), len(self.model_.component_names_)))
        for of_trial, trace in zip(rows, self.model_.transform(trials), strict=True):
            traces[of_trial] = trace.T
        return traces

    def fit_transform(
        self,
        X: Any,  # noqa: N803
        y: Any = None,
        *,
        trial: Any = None,
        labels: Any = None,
    ) -> NDArray[np.float64]:
        """Fits, and returns what `transform` makes of the same rows."""
        return self.fit(X, trial=trial, labels=labels).transform(X, trial=trial, labels=labels)

    def score(self, X: Any, y: Any = None, *, trial: Any = None, labels: Any = None) -> float:  # noqa: N803
        """R2 over observed entries, about each channel's mean, of traces found for these rows."""
        check_is_fitted(self)
        return self.model_.score(self._split(self._validated(X, reset=False), trial, labels)[0])

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """``"choice 1"``, ``"choice 2"``, ...: the columns that `transform` makes."""
        check_is_fitted(self)
        if input_features is not None:
            known = getattr(self, "feature_names_in_", None)
            if known is not None and not np.array_equal(known, input_features):
                raise ValueError("input_features is not equal to feature_names_in_")
            if len(input_features) != self.n_features_in_:
                raise ValueError(
                    "input_features should have length equal to number of features "
                    f"({self.n_features_in_}), got {len(input_features)}"
                )
        return np.asarray(self.model_.component_names_, dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

    def _asked(self) -> dict[str, Any]:
        asked: dict[str, Any] = self.get_params(deep=False)
        if not asked["categories"] and asked["trial_number"] is None and asked["fixed"] is None:
            asked["fixed"] = N_FIXED
        return asked

    def _validated(self, table: Any, *, reset: bool) -> NDArray[Any]:
        checked: NDArray[Any] = validate_data(
            self, table, reset=reset, dtype=(np.float64, np.float32), ensure_all_finite="allow-nan"
        )
        return checked

    def _split(self, values: NDArray[Any], trial: Any, labels: Any) -> tuple[Trials, list[Rows]]:
        """The trials, and which rows are whose."""
        columns = {} if labels is None else to_columns(labels, category_names(self.categories))
        check_lengths(columns, len(values), "row")
        if trial is None:
            rows: list[Rows] = [slice(i, i + 1) for i in range(len(values))]
            names = None
        else:
            named = {"trial": column("trial", trial)}
            check_lengths(named, len(values), "row")
            names, indices = rows_of_trials(named)
            columns = labels_of_trials(columns, indices, names)
            rows = [_as_slice(of_trial) for of_trial in indices]
        trials = as_trials(
            [values[of_trial] for of_trial in rows],
            {name: of_name.values for name, of_name in columns.items()},
            dims=("time", "channel"),
            channel_names=getattr(self, "feature_names_in_", None),
            trial_names=names,
        )
        trials._orders.update({name: of_name.order for name, of_name in columns.items()})
        return trials, rows


def _as_slice(rows: NDArray[np.intp]) -> Rows:
    """Rows that follow one another are read in place."""
    first, last = int(rows[0]), int(rows[-1])
    return slice(first, last + 1) if last - first + 1 == len(rows) else rows
