#!/usr/bin/env bash
# With `from __future__ import annotations`, Dagster 1.13.29 refuses an asset whose context has the type that its own message asks
# for: "Cannot annotate `context` parameter with type dg.AssetExecutionContext. `context` must be annotated with
# AssetExecutionContext, …". The same file without that line is taken, and so is, with it, the same function without an
# annotation of the context: the type of the context is compared as a text. `typing.get_type_hints` finds the class.
#
# Needs python3 (3.10 or later) with venv, and the Python registry. Prints what it saw; fails if that has changed.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check dagster==1.13.29

cat > plain.py <<'PY'
import typing

import dagster as dg


def count(context: dg.AssetExecutionContext) -> dg.MaterializeResult:
    return dg.MaterializeResult(metadata={"rows": 3})


def unannotated(context) -> dg.MaterializeResult:
    return dg.MaterializeResult(metadata={"rows": 3})


assert typing.get_type_hints(count)["context"] is dg.AssetExecutionContext
assert dg.materialize([dg.asset(name="unannotated")(unannotated)]).success
try:
    assert dg.materialize([dg.asset(name="count")(count)]).success
    print("context: taken")
except dg.DagsterInvalidDefinitionError as error:
    print("context:", str(error).split(". ")[0])
PY
{ echo 'from __future__ import annotations'; cat plain.py; } > future.py

plain="$(venv/bin/python plain.py 2> /dev/null)"
future="$(venv/bin/python future.py 2> /dev/null)"
echo "without the import   $plain"
echo "with it              $future"
[ "$plain" = "context: taken" ]
[ "$future" = 'context: Cannot annotate `context` parameter with type dg.AssetExecutionContext' ]
