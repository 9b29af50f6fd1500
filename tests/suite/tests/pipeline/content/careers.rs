//! Stated records and career numbers: whose they are, since when, and which names are nobody's.

use expect_test::expect;
use fdna_rows::CaptureFacts;

use crate::content::{facts, told};

fn list(on: &str, fighters: &[(&str, &str, [u32; 3])]) -> CaptureFacts {
    let row = |(name, born, [wins, losses, draws]): &(&str, &str, [u32; 3])| {
        let (first, last) = name.split_once(' ').unwrap();
        format!(
            r#"{{"name": {{"firstName": "{first}", "lastName": "{last}"}}, "dateOfBirth": {born},
                "record": {{"wins": {wins}, "losses": {losses}, "draws": {draws}, "noContests": 0}}}}"#
        )
    };
    let list = format!("[{}]", fighters.iter().map(row).collect::<Vec<_>>().join(","));
    facts("career", "2026-04-01", &[(&format!("fighters_{on}.json"), &list)])
}

const SAME: &str = r#""1990-01-01""#;

#[test]
fn a_name_is_tied_where_it_means_one_fighter_and_else_in_doubt() {
    let told = told(vec![list(
        "2026-03-18",
        &[
            ("Zorvik Quandle", SAME, [12, 3, 0]),
            ("Abel Quoss", "null", [4, 0, 1]),
            ("Mirela Tand", r#""1985-05-05""#, [9, 9, 0]),
            ("Bruno Vex", SAME, [7, 0, 0]),
            ("Lio Varga", SAME, [1, 0, 0]),
            ("Lio Varga", "null", [2, 0, 0]),
            ("Nobody Ofours", SAME, [30, 0, 0]),
        ],
    )]);
    let text = |table, columns: &[&str]| told.rows(table, columns).join("\n");
    let stated = ["fighter_id", "stated_on", "record_w", "record_l", "record_d", "record_nc"];
    expect![[r#"
        Abel Quoss | 2026-03-18 | 4 | 0 | 1 | 0
        Zorvik Quandle | 2026-03-18 | 12 | 3 | 0 | 0"#]]
    .assert_eq(&text("stated_careers", &stated));
    expect![[r#"
        Bruno Vex | Bruno Vex | 2 fighters are of this name
        Bruno Vex | Bruno Vex | 2 fighters are of this name
        Lio Varga | Lio Varga | the file has 2 of this name
        Mirela Tand | Mirela Tand | born on 1985-05-05, and the one of this name on 1990-01-01"#]]
    .assert_eq(&text("doubtful_links", &["name", "candidate_name", "reason"]));
    expect![[r#"
        3 | quarantine | `Mirela Tand` is tied to nobody: born on 1985-05-05, and the one of this name on 1990-01-01
        4 | quarantine | `Bruno Vex` is tied to nobody: 2 fighters are of this name
        5 | quarantine | `Lio Varga` is tied to nobody: the file has 2 of this name
        6 | quarantine | `Lio Varga` is tied to nobody: the file has 2 of this name
        7 | note | `Nobody Ofours` is tied to nobody: nobody of ours is of this name"#]].assert_eq(&text("quarantine", &["line", "severity", "reason"]));
}

#[test]
fn every_statement_is_kept_with_its_day() {
    let told = told(vec![
        list("2026-03-18", &[("Zorvik Quandle", SAME, [12, 3, 0])]),
        list("2026-01-01", &[("Zorvik Quandle", SAME, [11, 3, 0])]),
    ]);
    let stated = told.rows("stated_careers", &["fighter_id", "stated_on", "record_w"]).join("\n");
    expect![[r#"
        Zorvik Quandle | 2026-01-01 | 11
        Zorvik Quandle | 2026-03-18 | 12"#]]
    .assert_eq(&stated);
}
