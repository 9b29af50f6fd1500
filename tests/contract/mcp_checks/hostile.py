"""Queries that must be refused, each with words of the sentence that refuses it."""

NO_SELECT = "single SELECT"
NO_FILE = "disabled by configuration"

HOSTILE = [
    ("COPY (SELECT 1) TO '/tmp/copied.csv'", NO_SELECT),
    ("ATTACH '/tmp/attached.db' AS other", NO_SELECT),
    ("INSTALL httpfs", NO_SELECT),
    ("PRAGMA database_list", NO_SELECT),
    ("SET enable_external_access = true", NO_SELECT),
    ("CREATE TABLE made AS SELECT 1", NO_SELECT),
    ("SELECT 1; SELECT 2", NO_SELECT),
    ("SELECT 1') ; COPY (SELECT 1) TO '/tmp/copied.csv' --", "unterminated"),
    ("SELECT * FROM read_csv('/etc/passwd')", NO_FILE),
    ("SELECT * FROM '/etc/passwd.csv'", NO_FILE),
    ("SELECT * FROM read_parquet('https://example.com/x.parquet')", NO_FILE),
    ("SELECT no_such_column FROM events", "no_such_column"),
]

# Runs for hours.
HANGING = "SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE a.range % 7 = b.range % 11"
