"""Snapshots of a fightdna lake as polars frames.

>>> import fightdna as fd
>>> snapshot = fd.open("lake")                                   # doctest: +SKIP
>>> snapshot.panel(rows, metrics=["sig_accuracy"])               # doctest: +SKIP
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from .cache import Cache, default_folder
from .client import Client
from .errors import (
    AmbiguousFighterError,
    AsOfError,
    CacheWarning,
    DamageError,
    FightdnaError,
    LakeError,
    NoVersionError,
    OfflineWarning,
    RowsError,
    ServerError,
    UnknownNameError,
    unknown,
)
from .lake import PRODUCTS, Folder
from .server import Server
from .snapshot import Snapshot

__version__ = "0.1.0"
__all__ = [
    "AmbiguousFighterError",
    "AsOfError",
    "CacheWarning",
    "DamageError",
    "FightdnaError",
    "LakeError",
    "NoVersionError",
    "OfflineWarning",
    "RowsError",
    "ServerError",
    "Snapshot",
    "UnknownNameError",
    "open",
]


def open(
    path: str | os.PathLike[str],
    snapshot: str = "current",
    product: str = "mma",
    *,
    key: str | None = None,
    cache: str | os.PathLike[str] | None = None,
) -> Snapshot:
    """The current snapshot of the lake in a folder or of a server, or another one by its id.

    The id is pinned: a later run moves `current`, and not what was opened. `product` is what the lake is of:
    `mma`, `catalog` or `properties`.

    A path that begins with `http://` or `https://` is the address of `fightdna serve`, `fightdna leads serve` or a
    gateway. Tables are downloaded when they are first needed, by their SHA-256, into the folder `cache`
    (`fightdna/tables` in `$XDG_CACHE_HOME` or `~/.cache`), which processes may share. `key` is sent as a bearer
    token; without it, that of `FIGHTDNA_API_KEY`.
    """
    if product not in PRODUCTS:
        raise unknown("product", product, PRODUCTS)
    url = path if isinstance(path, str) and re.match("(?i)https?://", path) else None
    if url is not None:
        folder = Path(cache).expanduser() if cache is not None else default_folder()
        server = Server(Client.of(url, key), product, Cache(folder.absolute()))
        return Snapshot(server, server.manifest(snapshot))
    if key is not None or cache is not None:
        raise LakeError(f"`{path}` is a folder: key= and cache= are for addresses that begin with http:// or https://")
    lake = Folder(Path(path))
    manifest = lake.manifest(snapshot)
    if manifest.product != product:
        raise LakeError(
            f'`{path}` is a lake of {manifest.product}, not of {product}: open it with product="{manifest.product}"'
        )
    return Snapshot(lake, manifest)
