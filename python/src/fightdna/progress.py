"""A progress bar for long downloads, where tqdm is installed and a person looks on."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_SECONDS_UNTIL_SHOWN = 1


@contextmanager
def progress_bar(name: str, size: int) -> Iterator[Callable[[int], None]]:
    """Gives what is to be called with the bytes that are there; silent without tqdm or a terminal."""
    try:
        tqdm = importlib.import_module("tqdm").tqdm if sys.stderr.isatty() else None
    except ImportError:
        tqdm = None
    if tqdm is None:
        yield lambda _: None
        return
    with tqdm(total=size, desc=name, unit="B", unit_scale=True, delay=_SECONDS_UNTIL_SHOWN, leave=False) as bar:
        yield lambda have: bar.update(have - bar.n)
