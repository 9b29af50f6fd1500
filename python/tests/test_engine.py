"""`fightdna.engine` without its wheel; with it, `tests/contract/engine_wheel` tests it."""

from __future__ import annotations

import sys

import pytest


def test_without_its_wheel_the_engine_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fightdna_engine", None)
    monkeypatch.delitem(sys.modules, "fightdna.engine", raising=False)
    with pytest.raises(ModuleNotFoundError, match="pip install fightdna-engine"):
        import fightdna.engine  # noqa: F401
