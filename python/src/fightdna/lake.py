"""Files of a lake: the pointer, manifests and tables, each checked against its digest before it is read."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timezone
from pathlib import Path
from typing import Any, Protocol

import polars as pl

from .errors import DamageError, LakeError, unknown
from .notes import TableNotes, read_notes

# Newest format of manifests that this package reads; those from the second on carry a digest of themselves.
MANIFEST_FORMAT = 2
_SEAL = re.compile(rb'\{\n  "sha256": "([0-9a-f]{64})",\n')
_CONTRACTS = {"catalog": "catalog-", "properties": "properties-"}
PRODUCTS = ("mma", *_CONTRACTS)

# Digests of files by path, time of change and size, for the life of the process.
_digests: dict[tuple[str, int, int], str] = {}


@dataclass(frozen=True)
class TableEntry:
    """A table as the manifest names it."""

    name: str
    rows: int
    sha256: str
    contract_version: int


@dataclass(frozen=True)
class Manifest:
    """What a snapshot is made of. `id` is a digest of its tables."""

    id: str
    folder: Path
    product: str
    facts_until: date | None
    known_at: datetime | None
    tables: Mapping[str, TableEntry]

    def entry(self, table: str) -> TableEntry:
        """The table of this name."""
        if table not in self.tables:
            raise unknown(f"table in snapshot {self.id}:", table, self.tables)
        return self.tables[table]

    def notes(self, table: str) -> TableNotes:
        """Grain, key and meanings of a table, as its file states them."""
        return read_notes(self.table_file(table))

    def columns(self, table: str) -> pl.Schema:
        """Names and types of the columns of a table."""
        return pl.Schema(pl.read_parquet_schema(self.table_file(table)))

    def table_file(self, table: str) -> Path:
        """Path of the Parquet file of a table whose bytes are those that the manifest names."""
        entry = self.entry(table)
        path = self.folder / "tables" / f"{table}.parquet"
        found = file_digest(path)
        if found != entry.sha256:
            raise DamageError(
                f"checksum mismatch in table `{table}`, `{path}`: expected {entry.sha256}, found {found}; "
                "`fightdna repair` makes it anew, `fightdna verify` lists all damage"
            )
        return path


class Origin(Protocol):
    """Where snapshots are opened from."""

    def manifest(self, snapshot: str) -> Manifest:
        """The manifest of a snapshot by its id, or of the `current` one."""

    def known_at(self, day: date) -> Manifest:
        """The newest snapshot of what was known when `day` began (UTC)."""


@dataclass(frozen=True)
class Folder:
    """A lake in a folder."""

    path: Path

    def manifest(self, snapshot: str) -> Manifest:
        return read_manifest(self.path, snapshot)

    def known_at(self, day: date) -> Manifest:
        return known_at(self.path, day)

    def __str__(self) -> str:
        return f"lake `{self.path}`"


def read_manifest(lake: Path, snapshot: str) -> Manifest:
    """The manifest of a snapshot by its id, or of the `current` one."""
    if not lake.is_dir():
        raise LakeError(f"no lake at `{lake}`: not a folder")
    if snapshot == "current":
        snapshot = _current(lake)
    folder = lake / "snapshots" / snapshot
    if not re.fullmatch("[0-9a-f]{32}", snapshot) or not (folder / "manifest.json").exists():
        raise LakeError(f"no snapshot {snapshot} in `{lake}`; `fightdna snapshots list` lists them")
    said = _read_sealed(folder / "manifest.json")
    if not snapshot == said["id"] == _id_of(said):
        raise DamageError(
            f"checksum mismatch in `{folder / 'manifest.json'}`: expected {snapshot}, found {_id_of(said)}; "
            "`fightdna repair` makes it anew"
        )
    contract, known_at = said["contract_version"], said.get("known_at")
    tables = (TableEntry(t["name"], t["rows"], t["sha256"], t["contract_version"]) for t in said["tables"])
    return Manifest(
        id=snapshot,
        folder=folder,
        product=next((p for p, prefix in _CONTRACTS.items() if contract.startswith(prefix)), "mma"),
        facts_until=date.fromisoformat(said["facts_until"]) if said["facts_until"] else None,
        known_at=_instant(known_at) if known_at else None,
        tables={t.name: t for t in tables},
    )


def known_at(lake: Path, day: date) -> Manifest:
    """The newest snapshot of what was known when `day` began (UTC)."""
    manifests = sorted((lake / "snapshots").glob("*/manifest.json"), key=lambda p: p.stat().st_mtime_ns)
    found = (read_manifest(lake, path.parent.name) for path in reversed(manifests))
    wanted = datetime(day.year, day.month, day.day, tzinfo=timezone.utc)
    manifest = next((m for m in found if m.known_at == wanted), None)
    if manifest is None:
        raise LakeError(
            f"no snapshot of what was known at {day} in `{lake}`; `fightdna run --known-at {day}` makes one"
        )
    return manifest


def _current(lake: Path) -> str:
    pointer = lake / "current.json"
    if not pointer.exists():
        raise LakeError(f"no current snapshot in `{lake}`; `fightdna run --lake {lake}` makes one")
    return str(_read_sealed(pointer)["snapshot_id"])


def _read_sealed(path: Path) -> dict[str, Any]:
    data = path.read_bytes()
    seal = _SEAL.match(data)
    if seal is not None:
        expected, found = seal[1].decode(), hashlib.sha256(data[seal.end() :]).hexdigest()
        if expected != found:
            raise DamageError(
                f"checksum mismatch in `{path}`: expected {expected}, found {found}; `fightdna repair` "
                "makes anew what can be made of what is whole"
            )
    try:
        said = json.loads(data)
        number = int(said["format"])
    except (ValueError, KeyError, TypeError) as error:
        raise DamageError(f"cannot parse `{path}`; `fightdna verify` lists all damage") from error
    if number > MANIFEST_FORMAT:
        raise LakeError(
            f"`{path}` has format {number}, and this package knows up to {MANIFEST_FORMAT}; use a newer package"
        )
    if seal is None and number > 1:
        raise DamageError(f"checksum mismatch in `{path}`: its first line has no digest; `fightdna repair`")
    return dict(said)


def _id_of(said: Mapping[str, Any]) -> str:
    """The id that a snapshot of these tables has, as `pipeline/lake` computes it."""
    digest = hashlib.sha256()

    def add(part: str | int) -> None:
        data = part.to_bytes(4, "little") if isinstance(part, int) else part.encode()
        digest.update(len(data).to_bytes(8, "little") + data)

    licences = said.get("licences", [])
    parts = [said["data_format"], "snapshot", said["contract_version"], *said["definition_versions"]]
    parts += ["licences", *licences] if licences else []
    parts.append("tables")
    for table in sorted(said["tables"], key=lambda t: str(t["name"]).encode()):
        parts += [table["name"], table["sha256"], table["contract_version"]]
    for part in parts:
        add(part)
    return digest.hexdigest()[:32]


def file_digest(path: Path) -> str:
    """SHA-256 of a file, computed once while it does not change."""
    try:
        with path.open("rb") as file:
            stat = os.fstat(file.fileno())
            key = (str(path), stat.st_mtime_ns, stat.st_size)
            if key not in _digests:
                digest, buffer = hashlib.sha256(), memoryview(bytearray(1 << 20))
                while read := file.readinto(buffer):
                    digest.update(buffer[:read])
                _digests[key] = digest.hexdigest()
            return _digests[key]
    except FileNotFoundError as error:
        raise LakeError(
            f"`{path}` is missing, which its manifest names: the snapshot was removed by `fightdna gc` "
            "(`fightdna snapshots pin` keeps one), or the lake is damaged (`fightdna verify`)"
        ) from error


def _instant(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))
