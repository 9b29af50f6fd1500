"""Files of a server, kept in a folder by their digests; several processes may share it."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from typing import IO, Any

from .client import Client
from .errors import CacheWarning, DamageError, LakeError, ServerError
from .lake import file_digest
from .progress import progress_bar

if sys.platform != "win32":
    import fcntl

_CHUNK_BYTES = 1 << 18
# Tries in a row in which no byte came.
_TRIES = 4


def default_folder() -> Path:
    """`fightdna/tables` in the user's cache folder."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "fightdna" / "tables"


@dataclass(frozen=True)
class RemoteFile:
    """A file of a server: `name` is the table's, for errors."""

    name: str
    path: str
    sha256: str
    size: int


@dataclass(frozen=True)
class Cache:
    """Files named by their SHA-256, and lists of tables as the server told them."""

    folder: Path

    def table(self, client: Client, file: RemoteFile) -> Path:
        """Path of a file with the bytes of its digest; it is downloaded where it is not there or is damaged."""
        target = self.folder / f"{file.sha256}.parquet"
        with self._in_use():
            found = file_digest(target) if target.exists() else None
            if found == file.sha256:
                return target
            if found is not None:
                # The server has the right bytes; who owns the disk should hear of it.
                warnings.warn(
                    f"the copy of table `{file.name}` in the cache, `{target}`, is damaged: expected {file.sha256}, "
                    f"found {found}; it is downloaded again",
                    CacheWarning,
                    stacklevel=2,
                )
            self._download(client, file, target)
        return target

    def _download(self, client: Client, file: RemoteFile, target: Path) -> None:
        part = target.with_suffix(".part")
        while not (target.exists() and file_digest(target) == file.sha256):
            with part.open("ab+") as opened:
                _lock(opened)
                # Another process may have finished the file while this one waited.
                if not _is_at(opened, part):
                    continue
                _fill_whole(client, file, opened)
                os.replace(part, target)

    def write(self, name: str, said: Any) -> None:
        """Keeps JSON under a name, with its digest in the first line."""
        text = json.dumps(said, separators=(",", ":")).encode()
        target = self.folder / name
        with self._in_use():
            target.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=target.parent, delete=False) as file:
                file.write(hashlib.sha256(text).hexdigest().encode() + b"\n" + text)
            os.replace(file.name, target)

    def read(self, name: str) -> Any:
        """JSON that was kept; None where it is not there or is damaged, of which a warning tells."""
        path = self.folder / name
        with self._in_use():
            if not path.exists():
                return None
            digest, _, text = path.read_bytes().partition(b"\n")
        if hashlib.sha256(text).hexdigest().encode() == digest:
            return json.loads(text)
        warnings.warn(f"`{path}` in the cache is damaged, and not used", CacheWarning, stacklevel=2)
        return None

    @contextmanager
    def _in_use(self) -> Iterator[None]:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            yield
        except OSError as error:
            raise LakeError(
                f"cannot use the cache `{self.folder}`: {error.strerror or error}; make room there, "
                "or name another folder with cache="
            ) from error


def _fill_whole(client: Client, file: RemoteFile, part: IO[bytes]) -> None:
    """Fills the part from where it ends. Bytes that do not have the digest are removed, and never passed on."""
    begun = part.seek(0, os.SEEK_END)
    _fill(client, file, part)
    found = _digest_of(part)
    if found != file.sha256 and begun:
        # What was there before may be what is damaged.
        part.truncate(0)
        _fill(client, file, part)
        found = _digest_of(part)
    if found != file.sha256:
        part.truncate(0)
        raise DamageError(
            f"checksum mismatch in table `{file.name}` from `{client.base}{file.path}`: expected {file.sha256}, "
            f"found {found}; it was changed on its way or at the server, and is not used: try again"
        )


def _fill(client: Client, file: RemoteFile, part: IO[bytes]) -> None:
    tries = 0
    with progress_bar(file.name, file.size) as show:
        while (have := part.seek(0, os.SEEK_END)) != file.size:
            if have > file.size:
                part.truncate(0)
                continue
            try:
                why = _fetch_rest(client, file, part, have, show)
            except ServerError as error:
                # A server that restarts comes back; one that was never there does not.
                if error.status is not None or not tries:
                    raise
                why = error
            is_longer = part.seek(0, os.SEEK_END) > have
            tries = 1 if is_longer else tries + 1
            if tries >= _TRIES:
                told = why if isinstance(why, ServerError) else client.unreachable(why or "it ended early")
                raise ServerError(
                    f"download of table `{file.name}` broke off at byte {have} of {file.size}: {told}; "
                    "the next try goes on there"
                ) from None
            if not is_longer:
                time.sleep(0.1 * 2**tries)


def _fetch_rest(client: Client, file: RemoteFile, part: IO[bytes], have: int, show: Any) -> Exception | None:
    """Appends what comes; the error that ended it early."""
    headers = {"Range": f"bytes={have}-", "If-Range": f'"{file.sha256}"'} if have else {}
    with client.get(file.path, headers) as response:
        if have and response.status != 206:
            have = part.truncate(0)
        show(have)
        while have < file.size:
            try:
                data = response.read(min(_CHUNK_BYTES, file.size - have))
            except (OSError, HTTPException) as error:
                return error
            if not data:
                break
            part.write(data)
            part.flush()
            have += len(data)
            show(have)
    return None


def _digest_of(file: IO[bytes]) -> str:
    file.seek(0)
    digest = hashlib.sha256()
    while data := file.read(1 << 20):
        digest.update(data)
    return digest.hexdigest()


def _lock(file: IO[bytes]) -> None:
    """Waits until no other process writes the file. Ends with the file, also where a process is killed."""
    if sys.platform != "win32":
        fcntl.flock(file, fcntl.LOCK_EX)


def _is_at(file: IO[bytes], path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False
