"""Why something cannot be answered. Every exception of this package is a `FightdnaError`."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class FightdnaError(Exception):
    """Base of all exceptions of this package."""


class LakeError(FightdnaError):
    """The lake, its snapshot or a file of it is not there or is of another kind."""


class ServerError(LakeError):
    """A server cannot be reached, or refuses. `status` and `code` are those of its answer; None and "" without one."""

    def __init__(self, message: str, status: int | None = None, code: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.code = code


class OfflineWarning(UserWarning):
    """The server cannot be reached, and what was seen last is used."""


class CacheWarning(UserWarning):
    """A file of the cache was damaged, and is replaced."""


class DamageError(FightdnaError):
    """The bytes of a file are not those that the lake committed."""


class UnknownNameError(FightdnaError):
    """No table, column, metric or fighter has this name."""


class AmbiguousFighterError(FightdnaError):
    """Several fighters bear this name."""


class NoVersionError(FightdnaError):
    """The fighter has no DNA version as of the day."""


class AsOfError(FightdnaError):
    """An as-of date has no meaning for this table."""


class RowsError(FightdnaError):
    """Rows that were given cannot be joined."""


def unknown(kind: str, name: str, known: Iterable[str]) -> UnknownNameError:
    """The error for a name that is none, with up to three names that are near it."""
    near = get_close_matches(name, list(known), n=3)
    hint = f"; did you mean {', '.join(f'`{n}`' for n in near)}?" if near else ""
    return UnknownNameError(f"no {kind} `{name}`{hint}")
