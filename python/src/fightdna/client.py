"""Requests to a server, and what its refusals mean."""

from __future__ import annotations

import json
import os
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any
from urllib.parse import urlsplit

from .errors import LakeError, ServerError

KEY_VARIABLE = "FIGHTDNA_API_KEY"
_TIMEOUT_SECONDS = 30.0


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A key goes to the address that it was given for, and to no other."""

    def redirect_request(self, *_: Any) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirects)


@dataclass(frozen=True)
class Client:
    """The server at `base`, such as `http://127.0.0.1:8080`, and the key for it."""

    base: str
    key: str | None = field(default=None, repr=False)

    @classmethod
    def of(cls, url: str, key: str | None) -> Client:
        """The server of an address, with this key or that of the environment."""
        try:
            parts = urlsplit(url)
        except ValueError as error:
            raise LakeError(f"`{url}` is no address of a server: {error}") from None
        if not parts.hostname or parts.username or parts.query or parts.fragment:
            raise LakeError(
                f"`{parts.scheme}://{parts.hostname or ''}`… is no address of a server: http(s)://HOST[:PORT]"
            )
        key = (key if key is not None else os.environ.get(KEY_VARIABLE, "")).strip()
        if not (key.isascii() and key.isprintable()):
            raise LakeError(f"the key has characters that no key has: check key= or {KEY_VARIABLE}")
        return cls(url.rstrip("/"), key or None)

    def get(self, path: str, headers: Mapping[str, str] | None = None) -> Any:
        """The response to a request, whose body is still to be read. Raises a `ServerError` for every refusal."""
        sent = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        request = urllib.request.Request(self.base + path, headers={**sent, **(headers or {})})
        try:
            return _opener.open(request, timeout=_TIMEOUT_SECONDS)
        except urllib.error.HTTPError as error:
            with error:
                raise self._refusal(path, error) from None
        except (OSError, HTTPException, ValueError) as error:
            raise self.unreachable(getattr(error, "reason", error)) from None

    def get_json(self, path: str) -> dict[str, Any]:
        """The body of an answer."""
        with self.get(path) as response:
            try:
                said = json.load(response)
                if isinstance(said["data"], list | dict):
                    return dict(said)
            except (ValueError, KeyError, TypeError):
                pass
            except (OSError, HTTPException) as error:
                raise self.unreachable(error) from error
        raise self.not_understood(path)

    def not_understood(self, path: str) -> ServerError:
        """The error for an answer of another form."""
        return ServerError(f"`{self.base}{path}` is no answer of fightdna: check the address")

    def unreachable(self, reason: object) -> ServerError:
        """The error for a server that cannot be reached or breaks off."""
        return ServerError(
            f"`{self.base}` cannot be reached: {reason}; check the address, and that `fightdna serve` runs there. "
            'What was opened before opens without the server by its id: open(url, snapshot="ID")'
        )

    def _refusal(self, path: str, error: urllib.error.HTTPError) -> ServerError:
        try:
            said = json.load(error)["error"]
            code, message = str(said["code"]), str(said["message"])
        except (ValueError, KeyError, TypeError, OSError, HTTPException):
            code, message = "", ""
        wait = error.headers.get("Retry-After")
        answer = " ".join(part for part in (str(error.code), code) if part)
        what = _meaning(error.code, code, self.key is not None)
        told = f": {message}" if message else ""
        later = f"; try again after {wait} s" if wait and wait.isdecimal() else ""
        return ServerError(f"`{self.base}{path}` was answered {answer}{told} ({what}){later}", error.code, code)


def _meaning(status: int, code: str, has_key: bool) -> str:
    """What to do about a refusal."""
    if status == 401:
        given = "the key is not valid" if has_key else "no key was given"
        return f"{given}: give one as key= or in {KEY_VARIABLE}"
    if code == "snapshot_not_found":
        return "the snapshot was removed there, or is of another server or product"
    if 300 <= status < 400:
        return "the server leads elsewhere, and the key is for this address alone: open the other one"
    known = {
        403: "the plan of the key does not include tables: ask for one that does",
        404: "this address has no tables of the product: check address and product= (mma, catalog or properties)",
        429: "the requests or bytes of the key are used up",
    }
    return known.get(status, "the server cannot answer now" if status >= 500 else "the request was refused")
