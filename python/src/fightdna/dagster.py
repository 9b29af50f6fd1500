"""The tables of a lake as assets of Dagster (extra `dagster`): one run of the program makes them all.

>>> import dagster as dg
>>> from fightdna.dagster import snapshot_assets
>>> dg.Definitions(assets=[snapshot_assets("lake", ["fightdna", "run", "--lake", "lake"])])   # doctest: +SKIP
"""

import subprocess
from collections.abc import Iterator, Sequence

import dagster as dg

from . import open
from .snapshot import Snapshot

# The run published, and set captures aside that cannot be read.
_PUBLISHED_WITHOUT_SOME = 65


def snapshot_assets(
    lake: str, command: Sequence[str], *, product: str = "mma", tables: Sequence[str] | None = None
) -> dg.AssetsDefinition:
    """An asset for each table, with the key `[product, table]`.

    `command` makes the next snapshot of the lake; a step fails with what the command says where it fails, and then
    `current` is what it was. `tables` is needed only before the lake has a snapshot. The version of an asset is the
    SHA-256 of its file: of a table that a run did not change, nothing downstream is stale. Metadata: `snapshot`,
    rows, facts until, and the columns with their meanings.
    """
    names = list(tables) if tables is not None else list(open(lake, product=product).manifest.tables)

    @dg.multi_asset(
        name=f"fightdna_{product}",
        specs=[dg.AssetSpec([product, name], group_name="fightdna", kinds={"parquet"}) for name in names],
    )
    def run(context: dg.AssetExecutionContext) -> Iterator[dg.MaterializeResult[None]]:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode not in (0, _PUBLISHED_WITHOUT_SOME):
            raise dg.Failure(
                f"`{' '.join(command)}` ended with {done.returncode}: {done.stderr.strip()[-2000:]}",
                metadata={"exit_code": done.returncode},
            )
        if done.returncode == _PUBLISHED_WITHOUT_SOME:
            context.log.warning(f"some captures cannot be read: {done.stderr.strip()[-2000:]}")
        snapshot = open(lake, product=product)
        for name in names:
            yield _result(snapshot, name)

    return run


def _result(snapshot: Snapshot, table: str) -> dg.MaterializeResult[None]:
    entry = snapshot.manifest.entry(table)
    columns = [
        dg.TableColumn(column["column"], column["type"], description=column["meaning"])
        for column in snapshot.describe(table).iter_rows(named=True)
    ]
    return dg.MaterializeResult(
        asset_key=[snapshot.product, table],
        data_version=dg.DataVersion(entry.sha256),
        metadata={
            "snapshot": snapshot.id,
            "facts_until": str(snapshot.facts_until),
            "dagster/row_count": entry.rows,
            "dagster/column_schema": dg.TableSchema(columns),
        },
    )
