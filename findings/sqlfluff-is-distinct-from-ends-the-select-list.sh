#!/usr/bin/env bash
# sqlfluff 4.5.0 and sqruff 0.44.0, dialects `duckdb` and `postgres`: in a list of select targets the FROM of `IS DISTINCT FROM`
# is taken for the FROM clause. `SELECT a IS DISTINCT FROM b AS is_changed, count(*) AS n FROM t` is read as a query of a table
# `b` with the alias `is_changed` and of a table function `count` with the alias `n`, and rules of aliases complain of both. DuckDB
# 1.4.4 answers the query. sqlfluff says that a part is unparsable; `sqruff lint` does not, and `sqruff fix` leaves such a file
# nearly as it was. In WHERE both parse it, and in parentheses everywhere.
#
# Needs python3 with venv, and the Python registry. Prints what it saw; fails if that has changed.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check sqlfluff==4.5.0 sqruff==0.44.0 duckdb==1.4.4

query() { printf 'SELECT\n    %s AS is_changed,\n    count(*) AS n\nFROM t\nGROUP BY 1\n' "$1"; }
query 'a IS DISTINCT FROM b' > list.sql
query '(a IS DISTINCT FROM b)' > parentheses.sql
printf 'SELECT a\nFROM t\nWHERE a IS DISTINCT FROM b\n' > where.sql

venv/bin/python - <<'P'
import duckdb
con = duckdb.connect()
con.execute("CREATE TABLE t AS SELECT * FROM (VALUES (1, 1), (1, NULL), (NULL, NULL)) AS v (a, b)")
rows = sorted(con.execute(open("list.sql").read()).fetchall())
print("DuckDB answers:", rows)
assert rows == [(False, 2), (True, 1)], rows
P

for dialect in duckdb postgres; do
    venv/bin/sqlfluff lint --nocolor --dialect "$dialect" list.sql > fluff.txt 2>&1 || true
    venv/bin/sqruff lint --dialect "$dialect" list.sql > ruff.txt 2>&1 || true
    echo "$dialect, sqlfluff: $(grep -c 'PRS' fluff.txt) unparsable parts; $(grep -o "Alias 'is_changed' is never used" fluff.txt)"
    echo "$dialect, sqruff: $(grep -ciE 'PRS|unparsable' ruff.txt) unparsable parts named; $(grep -oi "Alias 'is_changed' is never used" ruff.txt)"
    [ "$(grep -c 'PRS' fluff.txt)" -ge 1 ] && grep -q "Alias 'is_changed' is never used" fluff.txt
    [ "$(grep -ciE 'PRS|unparsable' ruff.txt)" = 0 ] && grep -qi "Alias 'is_changed' is never used" ruff.txt
    unparsable() { venv/bin/sqruff parse --dialect "$dialect" "$1" 2> /dev/null | grep -c unparsable || true; }
    [ "$(unparsable list.sql)" -ge 1 ]
    for good in parentheses.sql where.sql; do
        [ "$(unparsable "$good")" = 0 ]
        [ "$(venv/bin/sqlfluff lint --nocolor --dialect "$dialect" "$good" 2>&1 | grep -c PRS || true)" = 0 ]
    done
done
