"""Arrays whose axes have names: of xarray where it is installed, else a small stand-in for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._optional import is_installed


class LabelledArray:
    """An array with names for its axes, and for the places along them."""

    def __init__(
        self,
        values: NDArray[Any],
        dims: Sequence[str],
        coords: Mapping[str, ArrayLike],
        name: str | None = None,
    ) -> None:
        self.values = values
        self.dims = tuple(dims)
        self.coords = {dim: np.asarray(places) for dim, places in coords.items()}
        self.name = name

    @property
    def shape(self) -> tuple[int, ...]:
        return self.values.shape

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        if copy is None:
            return np.asarray(self.values, dtype=dtype)
        return np.array(self.values, dtype=dtype, copy=copy)

    def __getitem__(self, key: Any) -> Any:
        return self.values[key]

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        axes = ", ".join(f"{dim}: {n}" for dim, n in zip(self.dims, self.shape, strict=True))
        title = f"LabelledArray {self.name!r} ({axes})" if self.name else f"LabelledArray ({axes})"
        places = [f"  {dim}: {coord}" for dim, coord in self.coords.items()]
        return "\n".join([title, str(self.values), *places])


def labelled(
    values: NDArray[Any],
    dims: Sequence[str],
    coords: Mapping[str, ArrayLike],
    name: str | None = None,
) -> Any:
    """An ``xarray.DataArray`` if xarray is installed, else a `LabelledArray`."""
    if not is_installed("xarray"):
        return LabelledArray(values, dims, coords, name)
    import xarray

    return xarray.DataArray(values, dims=list(dims), coords=dict(coords), name=name)
