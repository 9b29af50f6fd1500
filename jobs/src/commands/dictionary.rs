//! `fightdna dictionary`: every table, column, unit and meaning.

use fdna_run::exit::ExitCode;
use fdna_schemas::Tables;

use crate::output::CommandReport;

/// The dictionary of Fight DNA or of the catalog, as Markdown and as JSON.
pub(crate) fn dictionary_report(is_catalog: bool) -> anyhow::Result<CommandReport> {
    let tables = Tables::get();
    if is_catalog {
        let published: Vec<_> = tables.published_by_catalog().collect();
        return CommandReport::of_record(tables.catalog_dictionary(), &published, ExitCode::Done);
    }
    CommandReport::of_record(tables.to_dictionary(), &tables.iter().collect::<Vec<_>>(), ExitCode::Done)
}
