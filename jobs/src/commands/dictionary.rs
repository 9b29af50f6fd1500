//! `fightdna dictionary`: every table, column, unit and meaning.

/// The dictionary of Fight DNA or of the catalog, as Markdown or as JSON.
pub(crate) fn dictionary(is_catalog: bool, is_json: bool) -> anyhow::Result<String> {
    let tables = fdna_schemas::Tables::get();
    Ok(match (is_catalog, is_json) {
        (true, true) => {
            serde_json::to_string_pretty(&tables.published_by_catalog().collect::<Vec<_>>())? + "\n"
        }
        (true, false) => tables.catalog_dictionary(),
        (false, true) => serde_json::to_string_pretty(&tables.iter().collect::<Vec<_>>())? + "\n",
        (false, false) => tables.dictionary(),
    })
}
