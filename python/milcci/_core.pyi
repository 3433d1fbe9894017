"""The library behind the package `milcci`."""

from collections.abc import Sequence
from typing import Annotated, Any

import numpy
from numpy.typing import NDArray


version: str = '0.1.0'

class Recording:
    """Trials in memory, of NumPy or of the library."""

    @staticmethod
    def borrow(arrays: list[Any], channel_names: Sequence[str], channel_groups: Sequence[str], times: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]], trial_names: Sequence[str], labels: list[tuple[str, Any]], notes: Sequence[str]) -> Recording:
        """Views of arrays, time x channel each, which are kept alive."""

    @property
    def n_trials(self) -> int: ...

    @property
    def n_channels(self) -> int: ...

    def n_times(self, arg: int, /) -> int: ...

    def values(self, arg: int, /) -> Any:
        """Time x channel, in place."""

    @property
    def channel_names(self) -> list[str]: ...

    @property
    def channel_groups(self) -> list[str]: ...

    @property
    def trial_names(self) -> list[str]: ...

    @property
    def times(self) -> list[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]]: ...

    @property
    def labels(self) -> list[tuple[str, Any]]: ...

    @property
    def history(self) -> list[str]: ...

    @property
    def notes(self) -> list[str]: ...

    @property
    def has_truth(self) -> bool: ...

    def true_components(self) -> list[tuple[str, list[str], Any]]:
        """(name, options, N x p x n_options) per category."""

    def true_traces(self) -> list[Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='F')]]:
        """Per trial P x T."""

    def some_trials(self, which: Sequence[int]) -> Recording: ...

    def with_labels(self, labels: list[tuple[str, Any]]) -> Recording: ...

    def fingerprint(self, threads: int = 0) -> str: ...

    def write(self, path: str, overwrite: bool) -> None: ...

class Result:
    """Components, traces, and how they were found."""

    @staticmethod
    def read(path: str) -> Result: ...

    def write(self, path: str, overwrite: bool) -> None: ...

    @property
    def n_trials(self) -> int: ...

    @property
    def n_components(self) -> int: ...

    @property
    def channel_names(self) -> list[str]: ...

    @property
    def channel_groups(self) -> list[str]: ...

    @property
    def trial_names(self) -> list[str]: ...

    @property
    def labels(self) -> list[tuple[str, Any]]: ...

    @property
    def times(self) -> list[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]]: ...

    @property
    def categories(self) -> list[dict[str, Any]]:
        """A dict per category, with its spec and its options."""

    def graph(self, category: int) -> NDArray[numpy.float64]:
        """Option x option: lambda, how alike they are held to be."""

    def components(self, category: int) -> NDArray[numpy.float64]:
        """Channel x component x option."""

    def standard_errors(self, category: int) -> Any:
        """Of the memberships, or None if they were not estimated."""

    def alternative(self, answer: int, category: int) -> NDArray[numpy.float64]:
        """Components of another answer about as good."""

    @property
    def n_alternatives(self) -> int: ...

    def trace(self, trial: int) -> Annotated[NDArray[numpy.float64], dict(writable=False)]:
        """Component x time, in place."""

    def transition(self, trial: int) -> Annotated[NDArray[numpy.float64], dict(writable=False)]:
        """Component x component, lds prior only."""

    @property
    def n_transitions(self) -> int: ...

    def loading(self, trial: int) -> NDArray[numpy.float64]:
        """Channel x component: the variants that the label of the trial chooses."""

    def reconstruction(self, trial: int) -> NDArray[numpy.float64]:
        """Channel x time."""

    @property
    def noise(self) -> dict[str, Any]: ...

    @property
    def options(self) -> dict[str, Any]:
        """As they were resolved, without the categories."""

    @property
    def objective(self) -> float | None: ...

    @property
    def r2(self) -> float: ...

    @property
    def explained(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]: ...

    @property
    def n_iterations(self) -> int: ...

    @property
    def stop_reason(self) -> str: ...

    @property
    def message(self) -> str: ...

    @property
    def is_at_rest(self) -> bool: ...

    @property
    def warnings(self) -> list[str]: ...

    @property
    def version(self) -> str: ...

    @property
    def data_fingerprint(self) -> str: ...

    @property
    def fitted_fingerprint(self) -> str: ...

    def worst_news(self) -> str:
        """Why it is not to be trusted, or nothing."""

    def summary_json(self) -> str: ...

    def report(self) -> str: ...

    def view(self, category: str, component: int | None, n_members: int) -> tuple[str, str]:
        """The components as JSON and as text."""

def fit_fields() -> list[dict[str, Any]]:
    """What can be said of a fit: a dict per option."""

def category_fields() -> list[dict[str, Any]]: ...

def simulate_fields() -> list[dict[str, Any]]: ...

def read_fields() -> list[dict[str, Any]]: ...

def prepare_fields() -> list[dict[str, Any]]: ...

def cosmooth_fields() -> list[dict[str, Any]]: ...

def parse_category(text: str) -> dict[str, Any]:
    """
    The fields of a category as the command line writes it: NAME=COUNT[:KIND[,KEY=VALUE...]].
    """

def fit(recording: Recording, categories: list[dict[str, Any]], options: dict[str, Any], start: Result | None, show: Any | None) -> Result: ...

def findings(recording: Recording, categories: list[dict[str, Any]], options: dict[str, Any]) -> list[tuple[str, str, str]]:
    """What may go wrong with this fit: (text, advice, option) each."""

def transform(fitted: Result, recording: Recording, threads: int) -> Result: ...

def evaluate(fitted: Result, recording: Recording, cosmoothing: dict[str, Any] | None, threads: int) -> tuple[str, str, list[str]]:
    """JSON, table and warnings."""

def compare_models(first: Result, second: Result) -> tuple[str, str]:
    """JSON and table."""

def check(recording: Recording, categories: list[dict[str, Any]]) -> tuple[str, str]:
    """JSON and text."""

def simulate(preset: str, categories: Sequence[str], options: dict[str, Any]) -> Recording: ...

def read(path: str, recipe: str, options: dict[str, Any], threads: int) -> Recording: ...

def prepare(recording: Recording, options: dict[str, Any]) -> tuple[Recording, list[str]]:
    """The recording after the steps, and warnings."""

def prepare_as_fitted(fitted: Result, recording: Recording) -> tuple[Recording, list[str]]:
    """
    The recording after the steps of the fit's, and notes; the same memory if there are none.
    """

def prepare_labels_as_fitted(fitted: Result, recording: Recording) -> tuple[Recording, list[str]]:
    """The same for labels alone; values stay as they are."""

def traces_fields() -> list[dict[str, Any]]: ...

def traces(fitted: Result, options: dict[str, Any]) -> tuple[str, str]:
    """JSON and text."""

def align_traces(fitted: Result) -> dict[str, Any]:
    """
    times, step, is_from_start, and traces: component x time x trial on one grid.
    """

def group_trials(fitted: Result, by: Sequence[str]) -> dict[str, Any]:
    """
    values: of the labels, per group; of_trial: the group of each trial, or -1.
    """

def groups(fitted: Result) -> tuple[str, str]:
    """JSON and text."""

def report_fields() -> list[dict[str, Any]]: ...

def report(fitted: Result, recording: Recording | None, comparison: str, options: dict[str, Any]) -> str:
    """The object of a report, as JSON."""

def report_page(report: str) -> str:
    """HTML."""

def save_report(path: str, report: str, overwrite: bool) -> None: ...

def compare_fields() -> list[dict[str, Any]]: ...

def baseline_fields() -> list[dict[str, Any]]: ...

def compare_methods(recording: Recording, categories: list[dict[str, Any]], fitting: dict[str, Any], others: dict[str, Any], comparing: dict[str, Any], cosmoothing: dict[str, Any], methods: list[tuple[str, Any]], show: Any | None) -> tuple[str, str]:
    """JSON with all components, and table."""
