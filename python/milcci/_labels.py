"""Labels of trials, in whatever form they are given, as columns that the library knows."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from ._texts import plain

Values = list[str] | NDArray[np.int64] | NDArray[np.float64]
#: Of ordered categoricals, from low to high; empty: that of the values, which texts do not have;
#: None: of a categorical without one, be it of numbers.
Order = tuple[str, ...] | None


class DuplicateColumnsError(ValueError):
    """A table with several columns of one name."""


@dataclass(frozen=True)
class Column:
    """The labels of one name. An empty text or a NaN is a missing label."""

    values: Values
    order: Order = ()

    @property
    def is_ordered(self) -> bool:
        return bool(self.order) or (self.order is not None and not isinstance(self.values, list))

    def __len__(self) -> int:
        return len(self.values)


Columns = dict[str, Column]


def to_columns(labels: Any, names: Sequence[str]) -> Columns:
    """DataFrame, dict of arrays, list of dicts or of tuples, array, or one column.

    What has no names of its own is named by `names`, the categories in their order.
    """
    if is_frame(labels):
        columns = [str(name) for name in labels.columns]
        refuse_duplicates(columns)
        return {
            name: column(name, labels[key])
            for name, key in zip(columns, labels.columns, strict=True)
        }
    if isinstance(labels, Mapping):
        refuse_duplicates([str(name) for name in labels])
        return {str(name): column(str(name), values) for name, values in labels.items()}
    if isinstance(labels, Sequence) and labels and isinstance(labels[0], Mapping):
        return _records(labels)
    return _nameless(labels, names)


def by_number(labels: Any, numbers2tuples: Mapping[Any, Any]) -> list[tuple[Any, ...]]:
    """A tuple per trial, of a number per trial and a dict from numbers to tuples."""
    if labels is None or isinstance(labels, (str, bytes, Mapping)) or is_frame(labels):
        raise ValueError("numbers2tuples: needs labels that are a list of numbers, one per trial")
    if not isinstance(numbers2tuples, Mapping):
        raise ValueError("numbers2tuples: must be a dict from numbers to tuples")
    tuples = []
    for m, number in enumerate(np.asanyarray(labels).tolist()):
        if isinstance(number, list) or number not in numbers2tuples:
            known = ", ".join(map(str, list(numbers2tuples)[:6]))
            raise ValueError(f"trial {m + 1}: label {number} is not in numbers2tuples ({known}...)")
        label = numbers2tuples[number]
        tuples.append(tuple(label) if isinstance(label, (tuple, list, np.ndarray)) else (label,))
    return tuples


def is_frame(thing: Any) -> bool:
    """Whether it is a DataFrame, of pandas or polars."""
    return hasattr(thing, "columns") and hasattr(thing, "dtypes")


def refuse_duplicates(names: Sequence[str]) -> None:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise DuplicateColumnsError(
            f"columns of the same name: {', '.join(twice)}; rename or drop them"
        )


def column(name: str, values: Any) -> Column:
    """One column of labels. Ordered categoricals of pandas and enums of polars keep their order."""
    plain("label columns", name)
    dtype = getattr(values, "dtype", None)
    categories = getattr(dtype, "categories", None)
    if categories is not None and not callable(getattr(dtype, "is_nested", None)):
        return _categorical(name, values)
    if categories is not None and type(dtype).__name__ == "Enum":
        return _in_order(column(name, np.asarray(values)), categories)
    if isinstance(values, (str, bytes)) or not hasattr(values, "__len__"):
        raise ValueError(
            f"label column {name}: must be a list of labels, one per trial, is {values!r}"
        )
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        hidden = np.ma.getmaskarray(values)
        values = np.array(values.data, dtype=object)
        values[hidden] = None
    array = np.asarray(values) if hasattr(values, "dtype") else _array_of(values)
    if array.ndim != 1:
        raise ValueError(
            f"label column {name}: must be a list of labels, has shape {array.shape}; "
            "several numbers per trial go into several columns"
        )
    known = _known_values(name, array)
    for text in known if isinstance(known, list) else ():
        plain(f"label column {name}", text)
    return Column(known)


def _categorical(name: str, values: Any) -> Column:
    """A categorical of pandas: its values, in their own type, and its order."""
    found = column(name, np.asarray(values.astype(object)))
    if not values.dtype.ordered:
        return Column(found.values, None)
    return _in_order(found, values.dtype.categories)


def _in_order(found: Column, categories: Iterable[Any]) -> Column:
    """In the order of those categories that there are; numbers from low to high need none."""
    present = set(found.values)
    if isinstance(found.values, list):
        return Column(found.values, tuple(text for text in map(str, categories) if text in present))
    numbers = [number for number in categories if number in present]
    is_usual = numbers == sorted(numbers)
    return Column(found.values, () if is_usual else tuple(map(number_text, numbers)))


def _array_of(values: Sequence[Any]) -> NDArray[Any]:
    """A list as an array. Only numbers alone, or texts alone, have a type of their own."""
    array = np.empty(len(values), dtype=object)
    for i, value in enumerate(values):
        array[i] = value
    return array


def _known_values(name: str, array: NDArray[Any]) -> Values:
    kind = array.dtype.kind
    if kind in "iu":
        if kind == "u" and array.size and array.max() > np.iinfo(np.int64).max:
            raise ValueError(f"label column {name}: {array.max()} is too large for a whole number")
        return np.ascontiguousarray(array, dtype=np.int64)
    if kind == "f":
        return np.ascontiguousarray(array, dtype=np.float64)
    if kind in "bUMT":
        return ["" if value is None or value != value else str(value) for value in array]
    if kind == "S":
        try:
            return [value.decode() for value in array]
        except UnicodeDecodeError as error:
            raise ValueError(
                f"label column {name}: {error.object!r} is no UTF-8; decode it, or give texts"
            ) from None
    if kind == "O":
        return _objects(name, array)
    raise ValueError(f"label column {name}: labels of type {array.dtype}; give texts or numbers")


def _objects(name: str, array: NDArray[Any]) -> Values:
    """Labels of any type: texts, or numbers, or booleans, with None or NaN where one is missing."""
    present = [value for value in array if not is_missing(value)]
    if present and all(_is_whole(value) for value in present):
        largest = max(abs(int(value)) for value in present)
        if largest > np.iinfo(np.int64).max:
            raise ValueError(f"label column {name}: {largest} is too large for a whole number")
        if len(present) == len(array):
            return np.array([int(value) for value in array], dtype=np.int64)
        return np.array([math.nan if is_missing(v) else float(v) for v in array], dtype=np.float64)
    if present and all(_is_whole(value) or _is_real(value) for value in present):
        return np.array([math.nan if is_missing(v) else float(v) for v in array], dtype=np.float64)
    if all(isinstance(value, (str, bool, np.bool_, datetime.date)) for value in present):
        return ["" if is_missing(value) else str(value) for value in array]
    types = sorted({type(value).__name__ for value in present})
    raise ValueError(
        f"label column {name}: labels of type {', '.join(types)}; "
        "give texts, or numbers, and no mixture"
    )


def is_missing(value: Any) -> bool:
    if value is None or value is np.ma.masked or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, (float, np.floating)) and math.isnan(value)


def number_text(value: Any) -> str:
    """Texts as they are, and whole numbers without a point, whatever their type."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _is_whole(value: Any) -> TypeGuard[int]:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _is_real(value: Any) -> TypeGuard[float]:
    return isinstance(value, (float, np.floating))


def _records(labels: Sequence[Mapping[str, Any]]) -> Columns:
    names: dict[str, None] = {}
    for m, record in enumerate(labels):
        if not isinstance(record, Mapping):
            raise ValueError(f"labels: trial {m + 1} has {record!r}, expected a dict as in trial 1")
        names.update(dict.fromkeys(str(name) for name in record))
    return {name: column(name, [record.get(name) for record in labels]) for name in names}


def _nameless(labels: Any, names: Sequence[str]) -> Columns:
    if hasattr(labels, "dtype") and getattr(labels, "ndim", 0) in (1, 2):
        rows: list[Any] = [labels] if labels.ndim == 1 else list(np.asanyarray(labels).T)
    elif not isinstance(labels, Sequence) or isinstance(labels, (str, bytes)):
        raise ValueError(
            f"labels of type {type(labels).__name__}: "
            "give a DataFrame, a dict of arrays or a list of tuples"
        )
    elif labels and isinstance(labels[0], (tuple, list)):
        lengths = {len(label) if isinstance(label, (tuple, list)) else 1 for label in labels}
        if len(lengths) > 1:
            raise ValueError(
                f"labels: tuples of {sorted(lengths)} values; every trial needs one per category"
            )
        rows = [list(values) for values in zip(*labels, strict=True)]
    else:
        rows = [labels]
    if len(rows) != len(names):
        raise ValueError(
            f"labels: {len(rows)} per trial without names, and {len(names)} categories "
            f"({', '.join(names) or 'none'}); give a dict or a DataFrame, which name them"
        )
    return {name: column(name, values) for name, values in zip(names, rows, strict=True)}
