"""Snapshots of a fightdna lake as polars frames.

>>> import fightdna as fd
>>> snapshot = fd.open("lake")                                   # doctest: +SKIP
>>> snapshot.panel(rows, metrics=["sig_accuracy"])               # doctest: +SKIP
"""

from __future__ import annotations

import os
from pathlib import Path

from .errors import (
    AmbiguousFighterError,
    AsOfError,
    DamageError,
    FightdnaError,
    LakeError,
    NoVersionError,
    RowsError,
    UnknownNameError,
)
from .lake import read_manifest
from .snapshot import Snapshot

__version__ = "0.1.0"
__all__ = [
    "AmbiguousFighterError",
    "AsOfError",
    "DamageError",
    "FightdnaError",
    "LakeError",
    "NoVersionError",
    "RowsError",
    "Snapshot",
    "UnknownNameError",
    "open",
]


def open(path: str | os.PathLike[str], snapshot: str = "current", product: str = "mma") -> Snapshot:
    """The current snapshot of the lake in a folder, or another one by its id.

    The id is pinned: a later run moves `current`, and not what was opened. `product` is what the lake is of:
    `mma`, `catalog` or `properties`.
    """
    folder = Path(path)
    manifest = read_manifest(folder, snapshot)
    if manifest.product != product:
        raise LakeError(
            f'`{folder}` is a lake of {manifest.product}, not of {product}: open it with product="{manifest.product}"'
        )
    return Snapshot(folder, manifest)
