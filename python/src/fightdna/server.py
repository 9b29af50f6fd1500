"""Snapshots of a server: what the list of tables says of them, and their files through the cache."""

from __future__ import annotations

import hashlib
import re
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timezone
from pathlib import Path
from typing import Any

import polars as pl

from .cache import Cache, RemoteFile
from .client import Client
from .errors import LakeError, OfflineWarning, ServerError
from .lake import Manifest, TableEntry
from .notes import ColumnNotes, TableNotes

# Types of the contract as polars reads them from the files.
_TYPES: Mapping[str, pl.DataType] = {
    **dict.fromkeys(("string", "uuid", "json"), pl.String()),
    "int32": pl.Int32(),
    "int64": pl.Int64(),
    "float64": pl.Float64(),
    "bool": pl.Boolean(),
    "date": pl.Date(),
    "instant": pl.Datetime("ms", "UTC"),
}
_ID_IN_LINK = re.compile("/snapshots/([0-9a-f]{32})/tables/")


@dataclass(frozen=True)
class Server:
    """A server of one product, and the cache of its files."""

    client: Client
    product: str
    cache: Cache

    def manifest(self, snapshot: str) -> Manifest:
        """By id from the cache, without a request, where it was opened before; `current` is asked for each time.

        Where the server cannot be reached, `current` is the snapshot that it was last, which an `OfflineWarning` says.
        """
        if snapshot != "current":
            if not re.fullmatch("[0-9a-f]{32}", snapshot):
                raise LakeError(f"no snapshot {snapshot} at `{self.client.base}`: ids are 32 hex digits")
            return self._made(self.cache.read(self._kept(snapshot)) or self._list(snapshot))
        try:
            listed = self._list("current")
        except ServerError as error:
            seen: Any = self.cache.read(self._kept("current")) if error.status is None else None
            kept = self.cache.read(self._kept(seen["id"])) if seen else None
            if kept is None:
                raise
            warnings.warn(
                f"{error}. Opened {kept['id']}, which was current when it was last asked, at {seen['seen_at']}",
                OfflineWarning,
                stacklevel=3,
            )
            return self._made(kept)
        now = datetime.now(timezone.utc).isoformat(timespec="seconds")
        self.cache.write(self._kept("current"), {"id": listed["id"], "seen_at": now})
        return self._made(listed)

    def known_at(self, day: date) -> Manifest:
        """Servers do not say what a snapshot was made to know."""
        raise LakeError(
            f"a server does not say which snapshot is of what was known at {day}: give its id as vintage=, "
            "which `fightdna run --known-at` prints, or open the lake's folder"
        )

    def __str__(self) -> str:
        return f"server `{self.client.base}`"

    def _list(self, snapshot: str) -> dict[str, Any]:
        """What the server says of a snapshot, kept for later: of an id it never changes."""
        root = f"/v1/{self.product}/snapshots"
        said = self.client.get_json(f"{root}/{snapshot}/tables")
        # The addresses of the files have the id, also where `current` was asked for.
        try:
            ids = {found[1] for table in said["data"] if (found := _ID_IN_LINK.search(table["links"]["parquet"]))}
        except (KeyError, TypeError):
            raise self.client.not_understood(f"{root}/{snapshot}/tables") from None
        snapshot_id = ids.pop() if len(ids) == 1 else None
        if snapshot_id is None or snapshot not in ("current", snapshot_id):
            raise ServerError(f"`{self.client.base}` answered with snapshot {snapshot_id} for {snapshot}")
        # Fight DNA alone states a day of its facts.
        about = self.client.get_json(f"{root}/{snapshot_id}")["data"] if self.product == "mma" else {}
        listed = {"id": snapshot_id, "facts_until": about.get("facts_until"), "tables": said["data"]}
        self.cache.write(self._kept(snapshot_id), listed)
        return listed

    def _kept(self, name: str) -> str:
        """Where lists of this server are in the cache."""
        return f"lists/{hashlib.sha256(f'{self.client.base} {self.product}'.encode()).hexdigest()[:16]}/{name}.json"

    def _made(self, listed: Mapping[str, Any]) -> Manifest:
        entries = (TableEntry(t["name"], t["rows"], t["sha256"], t["contract_version"]) for t in listed["tables"])
        return ServedManifest(
            id=listed["id"],
            folder=self.cache.folder,
            product=self.product,
            facts_until=date.fromisoformat(listed["facts_until"]) if listed["facts_until"] else None,
            known_at=None,
            tables={entry.name: entry for entry in entries},
            server=self,
            listed={table["name"]: table for table in listed["tables"]},
        )


@dataclass(frozen=True)
class ServedManifest(Manifest):
    """What the server says of a snapshot's tables."""

    server: Server
    listed: Mapping[str, Any] = field(repr=False)

    def table_file(self, table: str) -> Path:
        """Path of the table's file in the cache, downloaded where it is not there."""
        entry = self.entry(table)
        path = f"/v1/{self.product}/snapshots/{self.id}/tables/{table}.parquet"
        file = RemoteFile(table, path, entry.sha256, self.listed[table]["bytes"])
        return self.server.cache.table(self.server.client, file)

    def notes(self, table: str) -> TableNotes:
        """As the list says, or the file where the list does not know the contract of the table."""
        said = self.listed[self.entry(table).name]
        if said["columns"] is None:
            return super().notes(table)
        columns = {
            column["name"]: ColumnNotes(
                nullable=column["null_means"] is not None,
                notes={k: column[k] for k in ("unit", "meaning", "null_means") if column[k] is not None},
            )
            for column in said["columns"]
        }
        return TableNotes(grain=said["grain"], meaning=said["meaning"], key=tuple(said["key"]), columns=columns)

    def columns(self, table: str) -> pl.Schema:
        """As the list says, or the file where the list has a type that this package does not know."""
        columns = self.listed[self.entry(table).name]["columns"] or []
        types = {column["name"]: _TYPES.get(column["type"]) for column in columns}
        known = {name: dtype for name, dtype in types.items() if dtype is not None}
        return pl.Schema(known) if known and known == types else super().columns(table)
