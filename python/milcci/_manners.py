"""scikit-learn's manners without scikit-learn: parameters to read, set and clone, and a repr."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing_extensions import Self


class Manners:
    """What scikit-learn expects of an estimator, for tools that hand trials around as they are.

    ``cross_val_score``, ``GridSearchCV`` and ``clone`` do; `Trials` keep their labels there.
    """

    @classmethod
    def _parameters(cls) -> dict[str, Any]:
        """Names and defaults."""
        signature = inspect.signature(cls.__init__)
        return {p.name: p.default for p in list(signature.parameters.values())[1:]}

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """All parameters by name."""
        return {name: getattr(self, name) for name in self._parameters()}

    def set_params(self, **params: Any) -> Self:
        """Sets parameters by name; those of a fitted estimator apply from the next fit on."""
        known = self._parameters()
        for name in params:
            if name not in known:
                raise ValueError(
                    f"Invalid parameter {name!r} for estimator {self!r}. "
                    f"Valid parameters are: {sorted(known)}"
                )
        for name, value in params.items():
            setattr(self, name, value)
        return self

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn asks of an estimator. Only its own tools call this."""
        from sklearn.utils import InputTags, Tags, TargetTags, TransformerTags

        return Tags(
            estimator_type=None,
            target_tags=TargetTags(required=False),
            transformer_tags=TransformerTags(),
            input_tags=InputTags(two_d_array=False, three_d_array=True, allow_nan=True),
        )

    def __repr__(self) -> str:
        said = []
        for name, default in self._parameters().items():
            value = getattr(self, name)
            if not _is_same(value, default):
                said.append(f"{name}={value!r}")
        return f"{type(self).__name__}({', '.join(said)})"


def _is_same(value: object, default: object) -> bool:
    if value is default:
        return True
    return (
        isinstance(value, (str, int, float)) and value == default and type(value) is type(default)
    )
