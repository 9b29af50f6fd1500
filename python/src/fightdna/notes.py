"""What the Parquet files say of themselves: the grain, key and meaning of a table; unit and meaning of its columns.

The notes of a column stand in the Arrow schema within the file, a FlatBuffers message. polars drops them when it
reads a schema (2.1), hence the small reader here. Format: https://arrow.apache.org/docs/format/Columnar.html.
"""

from __future__ import annotations

import base64
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import polars as pl


@dataclass(frozen=True)
class TableNotes:
    """Notes of a table. `columns` has the notes of each column, in the order of the file."""

    grain: str | None
    meaning: str | None
    key: tuple[str, ...]
    columns: Mapping[str, ColumnNotes]


@dataclass(frozen=True)
class ColumnNotes:
    """Notes of a column: keys such as `meaning` and `unit`."""

    nullable: bool
    notes: Mapping[str, str]


def read_notes(path: Path) -> TableNotes:
    """The notes of a Parquet file; those that it does not have are absent."""
    said = pl.read_parquet_metadata(path)
    key = said.get("fightdna.key", "")
    return TableNotes(
        grain=said.get("fightdna.grain"),
        meaning=said.get("fightdna.meaning"),
        key=tuple(key.split(",")) if key else (),
        columns=dict(_columns(base64.b64decode(said["ARROW:schema"]))),
    )


def _columns(message: bytes) -> Iterator[tuple[str, ColumnNotes]]:
    # The message begins with a continuation mark and its length.
    schema = _FlatTable.root(message[8:]).table(2)
    for field in schema.tables(1):
        notes = {pair.text(0): pair.text(1) for pair in field.tables(6)}
        yield field.text(0), ColumnNotes(field.flag(1), notes)


@dataclass(frozen=True)
class _FlatTable:
    """A table of FlatBuffers; fields by their number in the schema."""

    data: bytes
    at: int

    @classmethod
    def root(cls, data: bytes) -> _FlatTable:
        return cls(data, _u32(data, 0))

    def _field(self, number: int) -> int | None:
        vtable = self.at - struct.unpack_from("<i", self.data, self.at)[0]
        size, slot = struct.unpack_from("<H", self.data, vtable)[0], 4 + 2 * number
        offset: int = struct.unpack_from("<H", self.data, vtable + slot)[0] if slot < size else 0
        return self.at + offset if offset else None

    def _target(self, number: int) -> int | None:
        field = self._field(number)
        return None if field is None else field + _u32(self.data, field)

    def flag(self, number: int) -> bool:
        field = self._field(number)
        return field is not None and self.data[field] != 0

    def text(self, number: int) -> str:
        at = self._target(number)
        return "" if at is None else self.data[at + 4 : at + 4 + _u32(self.data, at)].decode()

    def table(self, number: int) -> _FlatTable:
        at = self._target(number)
        if at is None:
            raise ValueError(f"an Arrow schema without its field {number}")
        return _FlatTable(self.data, at)

    def tables(self, number: int) -> Iterator[_FlatTable]:
        at = self._target(number)
        if at is None:
            return
        for slot in range(at + 4, at + 4 + 4 * _u32(self.data, at), 4):
            yield _FlatTable(self.data, slot + _u32(self.data, slot))


def _u32(data: bytes, at: int) -> int:
    return int(struct.unpack_from("<I", data, at)[0])
