"""Categories: which labels components adjust to, and how alike two options are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._labels import Columns, number_text
from ._texts import plain

Kind = Literal["categorical", "ordinal", "trial_number", "fixed", "free", "graph", "circular"]
Categories = Mapping[str, "int | Category"] | Sequence["Category | str"] | None


@dataclass(frozen=True, eq=False)
class Category:
    """Components that adjust to a label.

    Parameters
    ----------
    n_components : int
        Components that adjust to the category.
    kind : str, optional
        How its options are related. Unset: ``graph``, ``circular`` or ``ordinal`` if what else is
        given says so; otherwise numbers and ordered categoricals are ordinal, texts and
        categoricals without order categorical.
    name : str, optional
        Name of the category, and of the label column that it reads; in a mapping, its key.
    columns : sequence of str
        Label columns to read, if not that of its name; several numeric ones make a vector.
    order : sequence of str
        Words from low to high.
    bins : int
        Cut the numbers into this many bins with equally many trials; 0: keep every value.
    kernel : {'gaussian', 'exponential', 'inverse', 'nearest'}
        How likeness falls with distance.
    width : float, optional
        Width of the kernel, in units of the label; unset: the median gap between values.
    neighbours : int
        Options joined by the kernel ``nearest``.
    distance : {'euclidean', 'manhattan', 'maximum'}
        Distance between vectors.
    period : float, optional
        After which the numbers begin anew, as 12 for months.
    graph : DataFrame, or matrix, optional
        Similarities between the options, zero or more. A DataFrame names them itself.
    graph_options : sequence of str
        Names of the options of a matrix.
    """

    n_components: int
    kind: Kind | None = None
    name: str | None = field(default=None, kw_only=True)
    columns: Sequence[str] = field(default=(), kw_only=True)
    order: Sequence[str] = field(default=(), kw_only=True)
    bins: int = field(default=0, kw_only=True)
    kernel: Literal["gaussian", "exponential", "inverse", "nearest"] = field(
        default="gaussian", kw_only=True
    )
    width: float | None = field(default=None, kw_only=True)
    neighbours: int = field(default=2, kw_only=True)
    distance: Literal["euclidean", "manhattan", "maximum"] = field(
        default="euclidean", kw_only=True
    )
    period: float | None = field(default=None, kw_only=True)
    graph: Any = field(default=None, kw_only=True)
    graph_options: Sequence[str] = field(default=(), kw_only=True)

    def __post_init__(self) -> None:
        for name in ("columns", "order", "graph_options"):
            value = getattr(self, name)
            # An array has no truth, and the library wants texts.
            if not isinstance(value, (str, list, tuple)) and isinstance(value, Iterable):
                object.__setattr__(self, name, tuple(map(number_text, value)))

    def __repr__(self) -> str:
        said = [repr(self.n_components)]
        for part in fields(self)[1:]:
            value = getattr(self, part.name)
            if (
                value is not None
                and not (np.isscalar(value) and value == part.default)
                and len_of(value)
            ):
                said.append(f"{part.name}={value!r}")
        return f"Category({', '.join(said)})"


def len_of(value: Any) -> int:
    return len(value) if hasattr(value, "__len__") else 1


def category_names(categories: Categories) -> list[str]:
    """Of those that read a label of their name."""
    return [
        category.name or ""
        for category in listed(categories)
        if category.kind not in ("fixed", "trial_number") and not category.columns
    ]


def label_keywords(categories: Categories) -> dict[str, Any]:
    """What `as_trials` is told of the labels that categories read."""
    columns = [name for category in listed(categories) for name in category.columns]
    names = category_names(categories)
    return {"label_names": names, "wanted_labels": [*names, *columns]}


def listed(categories: Categories) -> list[Category]:
    """Every category with its name."""
    if categories is None:
        return []
    if isinstance(categories, str) or not isinstance(categories, (Mapping, Sequence)):
        raise ValueError(
            f"`categories` = {categories!r}: "
            "give a dict such as {'choice': 2}, or a list of Category"
        )
    if isinstance(categories, Mapping):
        return [_named(str(name), category) for name, category in categories.items()]
    return [_of_list(category) for category in categories]


def _named(name: str, category: Any) -> Category:
    if isinstance(category, Category):
        if category.name not in (None, name):
            raise ValueError(f"category {name}: is named {category.name} in its Category")
        return Category(**{**vars(category), "name": name})
    if isinstance(category, (int, np.integer)) and not isinstance(category, bool):
        return Category(int(category), name=name)
    raise ValueError(
        f"category {name}: {category!r} is neither a number of components nor a Category"
    )


def _of_list(category: Any) -> Category:
    if isinstance(category, str):
        return category_of(_core.parse_category(category))
    if not isinstance(category, Category):
        raise ValueError(
            f"{category!r} is no Category; give a dict such as {{'choice': 2}}, or Category(...)"
        )
    if category.name is None:
        raise ValueError(f"{category!r} has no name; give name=, or a dict with the names as keys")
    return category


def category_of(spec: Mapping[str, Any]) -> Category:
    """From the fields that the library knows."""
    return Category(**{**spec, "graph": spec["graph"] if np.size(spec["graph"]) else None})


def to_specs(
    categories: Categories, trial_number: int | None, fixed: int | None, labels: Columns
) -> list[dict[str, Any]]:
    """What the library is asked for. Kinds that were not given follow from the labels."""
    found = listed(categories)
    if trial_number is not None:
        found.append(Category(trial_number, "trial_number", name="trial_number"))
    if fixed is not None:
        found.append(Category(fixed, "fixed", name="fixed"))
    if not found:
        names = f"; the trials have the label columns {', '.join(labels)}" if labels else ""
        raise ValueError(
            f"no category given{names}: give categories such as {{'choice': 2}}, or fixed=2"
        )
    return [_spec(category, labels) for category in found]


def _spec(category: Category, labels: Columns) -> dict[str, Any]:
    plain("category", category.name or "")
    spec = {part.name: getattr(category, part.name) for part in fields(category)}
    if category.graph is not None:
        spec["graph"], spec["graph_options"] = _graph(category)
    else:
        del spec["graph"]
    columns = [
        labels[name] for name in category.columns or (category.name or "",) if name in labels
    ]
    spec["kind"] = category.kind or _kind(
        category, bool(columns) and all(c.is_ordered for c in columns)
    )
    is_said = bool(category.order or category.bins)
    if spec["kind"] == "ordinal" and not is_said and len(columns) == 1:
        spec["order"] = columns[0].order or ()
    return spec


def _kind(category: Category, is_ordered: bool) -> Kind:
    if category.graph is not None:
        return "graph"
    if category.period is not None:
        return "circular"
    if category.order or category.bins or is_ordered:
        return "ordinal"
    return "categorical"


def _graph(category: Category) -> tuple[Any, list[str]]:
    graph = category.graph
    if not hasattr(graph, "columns"):
        return _similarities(category, graph), list(category.graph_options)
    rows, columns = [str(name) for name in graph.index], [str(name) for name in graph.columns]
    if sorted(rows) != sorted(columns):
        raise ValueError(
            f"category {category.name}: rows and columns of its graph name different options"
        )
    return _similarities(category, graph[graph.columns].loc[list(graph.columns)]), columns


def _similarities(category: Category, graph: Any) -> NDArray[np.float64]:
    try:
        array = np.asarray(graph)
        if array.dtype.kind == "c":
            raise TypeError
        return array.astype(np.float64)
    except (ValueError, TypeError):
        raise ValueError(f"category {category.name}: its graph is no matrix of numbers") from None
