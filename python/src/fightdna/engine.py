"""Fight DNA derived in this process: what the wheel `fightdna-engine` has, under the name of this package.

>>> from fightdna import engine
>>> facts = {name: snapshot.scan(name).collect() for name in engine.FACTS_TABLES}   # doctest: +SKIP
>>> versions = pl.DataFrame(engine.derive(facts)["dna_versions"])                   # doctest: +SKIP
"""

from __future__ import annotations

try:
    from fightdna_engine import FACTS_TABLES, DerivedTable, InputError, derive, metric_definitions
except ModuleNotFoundError as error:
    if error.name != "fightdna_engine":
        raise
    raise ModuleNotFoundError(
        "fightdna.engine needs the wheel fightdna-engine: pip install fightdna-engine", name="fightdna_engine"
    ) from None

__all__ = ["FACTS_TABLES", "DerivedTable", "InputError", "derive", "metric_definitions"]
