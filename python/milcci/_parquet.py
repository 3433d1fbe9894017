"""Tables in Parquet files, read by pandas where it is installed, else by pyarrow alone."""

from __future__ import annotations

import importlib
import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._labels import DuplicateColumnsError, refuse_duplicates
from ._optional import is_installed, require

MAGIC = b"PAR1"


def is_parquet(path: str | os.PathLike[str]) -> bool:
    """Whether the file begins as Parquet files do."""
    try:
        with open(path, "rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False  # a folder, or nothing: whoever reads it says so


def read_parquet(path: str | os.PathLike[str]) -> Any:
    """A DataFrame, or what is like one."""
    try:
        if is_installed("pyarrow"):
            # Before pandas, which fails at such a table with words of its own.
            refuse_duplicates(importlib.import_module("pyarrow.parquet").read_schema(path).names)
        if is_installed("pandas") and (is_installed("pyarrow") or is_installed("fastparquet")):
            return importlib.import_module("pandas").read_parquet(path)
        require("pyarrow", "reading Parquet files")
        return ArrowFrame(importlib.import_module("pyarrow.parquet").ParquetFile(path).read())
    except (ImportError, DuplicateColumnsError):
        raise
    except Exception as error:  # each package has its own for files that are broken
        raise OSError(f"{os.fspath(path)}: cannot be read as Parquet: {error}") from error


class ArrowFrame:
    """A table of pyarrow with the manners of a DataFrame that are needed here."""

    def __init__(self, table: Any) -> None:
        self._table = table
        self.columns: list[str] = table.column_names
        self.dtypes = [field.type for field in table.schema]

    def __len__(self) -> int:
        return int(self._table.num_rows)

    def __getitem__(self, name: str) -> NDArray[Any]:
        column = self._table.column(name)
        if hasattr(column.type, "index_type"):  # a dictionary: codes, and what they mean
            column = column.cast(column.type.value_type)
        return np.asarray(column.to_numpy())
