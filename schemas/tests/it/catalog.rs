//! Audits and DNA of the multi-sport catalog.

use fdna_schemas::{
    CatalogAudit, CatalogDna, ConfidenceSettings, EngineSettings, MetricDefinitions, ValiditySettings,
    catalog_audits,
};

use crate::read_contract;

#[test]
fn a_snapshot_has_the_audits_of_its_sports_and_of_each_dna() {
    let all = catalog_audits(|_| true);
    assert!(all.iter().all(|audit| audit.sql.starts_with("--") && !audit.sql.contains("dna_versions")));
    let names = |audits: &[CatalogAudit]| audits.iter().map(|audit| audit.name.clone()).collect::<Vec<_>>();
    assert!(names(&all).contains(&"nhl/standings_add_up".to_owned()));
    let of_one = names(&catalog_audits(|table| table == "nhl_goalie_dna"));
    assert!(
        !of_one.is_empty() && of_one.iter().all(|name| name.starts_with("nhl_goalie_dna/")),
        "{of_one:?}"
    );
    assert_eq!(catalog_audits(|_| false), []);
}

#[test]
fn a_file_changes_what_it_names_of_the_engine_and_nothing_beside() {
    let engine = MetricDefinitions::parse(&read_contract("catalog/engine.toml"), &[]).unwrap().settings;
    let team = CatalogDna::of_sport("soccer").find(|dna| dna.name == "soccer_team_dna").unwrap();
    let file: toml::Table =
        toml::from_str(&read_contract("catalog/dna/soccer/soccer_team_dna.toml")).unwrap();
    let changes = "history_observations = 38\nmin_pool_subjects = 15\nconfidence = { noun = \"match\" }\nvalidity = { season_month = 7 }";
    assert_eq!(file["engine"], toml::Value::Table(toml::from_str(changes).unwrap()));
    let changed = EngineSettings {
        history_observations: Some(38),
        min_pool_subjects: 15,
        confidence: ConfidenceSettings { noun: "match".to_owned(), ..engine.confidence.clone() },
        validity: ValiditySettings { season_month: Some(7), ..engine.validity.clone() },
        ..engine.clone()
    };
    assert_eq!(format!("{:?}", team.definitions("no pool").settings), format!("{changed:?}"));
    assert_ne!(format!("{engine:?}"), format!("{changed:?}"));
}
