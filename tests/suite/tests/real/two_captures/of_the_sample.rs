//! The same of the sample's two captures, without any real one.

use super::*;

#[test]
fn a_run_with_nothing_new_on_the_sample_leaves_the_pointer_as_it_is() {
    let captures = sample();
    check_that_a_second_run_does_nothing(&Published::of(&captures), &captures);
}

/// Lines of the sample's `ufc_fight_stats.csv`: 20 and 21 are empty behind the names, 80 to 85 of the later
/// one have the rounds.
#[test]
fn statistics_that_come_late_are_filled_in() {
    let [first, later] = sample();
    let (before, after) = (Published::of(std::slice::from_ref(&first)), Published::of(&[first, later]));
    let rounds = |published: &Published| {
        let bout = published.sheets["bouts"].only(&[("statsdb_id", "04a924f8a3ca9daa")], "bout_id");
        let sheet = &published.sheets["round_stats"];
        let rows = sheet.find(&[("bout_id", bout.unwrap())]);
        let of = |row: &Vec<Cell>, column| sheet.get(row, column).unwrap().parse::<i32>().unwrap();
        let sums = ["sig_landed", "sig_attempted", "knockdowns"]
            .map(|column| rows.iter().map(|row| of(row, column)).sum::<i32>());
        (rows.len(), sums)
    };
    assert_eq!(rounds(&before), (0, [0, 0, 0]));
    // Landed 35 + 23 + 20 and 13 + 18 + 18, attempted 60 + 45 + 46 and 44 + 48 + 54, a knockdown of each.
    assert_eq!(rounds(&after), (6, [127, 297, 2]));
    let versions = |published: &Published| {
        let fighter = published.sheets["fighters"].only(&[("statsdb_id", "45f6e500a8be3825")], "fighter_id");
        let sheet = &published.sheets["dna_versions"];
        let rows = sheet.find(&[("fighter_id", fighter.unwrap())]);
        rows.iter().map(|row| sheet.get(row, "last_bout_date").unwrap().to_owned()).collect::<Vec<_>>()
    };
    let (old, new) = (versions(&before), versions(&after));
    assert_eq!(new.len(), old.len() + 2, "his late bout and his newest one: {new:?}");
    assert_eq!(new[..old.len()], old);
}

/// `ufc_fight_results.csv:29` of the first capture, 42 of the later one.
#[test]
fn an_overturned_result_of_the_sample_is_a_correction_and_the_new_one_holds() {
    let published = Published::of(&sample());
    let bout = "f46e2251c078b127";
    assert_eq!(changes(&published, "result", "outcome"), owned([[bout, "win", "no_contest"]]));
    assert_eq!(changes(&published, "result", "method"), owned([[bout, "submission", "overturned"]]));
    let details = ["Arm Triangle From Mount", "Arm Triangle win for Urklop overturned"];
    assert_eq!(changes(&published, "result", "method_detail"), owned([[bout, details[0], details[1]]]));
    let (bouts, results) = (&published.sheets["bouts"], &published.sheets["results"]);
    let row = bouts.one(&[("statsdb_id", bout)]);
    let name = |column| {
        let id = bouts.get(row, column).unwrap();
        published.sheets["fighters"].only(&[("fighter_id", id)], "name").unwrap()
    };
    let names = BTreeSet::from(["fighter_a_id", "fighter_b_id"].map(name));
    assert_eq!(names, BTreeSet::from(["Ekkzu Kwezwobble", "Zorbix Urklop"]));
    let result = results.one(&[("bout_id", bouts.get(row, "bout_id").unwrap())]);
    let now = ["outcome", "method", "winner_id"].map(|column| results.get(result, column));
    assert_eq!(now, [Some("no_contest"), Some("overturned"), None]);
}

#[test]
fn a_renamed_fighter_of_the_sample_keeps_id_and_rounds() {
    let [first, later] = sample();
    let (before, after) = (Published::of(std::slice::from_ref(&first)), Published::of(&[first, later]));
    let id = before.sheets["fighters"].only(&[("name", "Plonax Jorpfuzz")], "fighter_id").unwrap();
    assert_eq!(after.sheets["fighters"].only(&[("name", "Hoxfip Jorpfuzz")], "fighter_id"), Some(id));
    assert!(after.sheets["fighters"].find(&[("name", "Plonax Jorpfuzz")]).is_empty());
    let sheet = &after.sheets["corrections"];
    let name = sheet.one(&[("kind", "fighter"), ("field", "name")]);
    let said = ["entity_id", "change", "old", "new"].map(|column| sheet.get(name, column).unwrap());
    assert_eq!(said, [id, "changed", "Plonax Jorpfuzz", "Hoxfip Jorpfuzz"]);
    let rounds = |published: &Published| published.sheets["round_stats"].find(&[("fighter_id", id)]).len();
    // Lines of `ufc_fight_stats.csv` with the old name as the fighter's: 3 of the newest event.
    assert_eq!((rounds(&before), rounds(&after)), (27, 30));
}

/// `Jubdrim Thrubgle` gets a reach of 70, `Jubgrot Plongurk` loses the nickname `The Placeholder`.
#[test]
fn unknown_values_of_the_sample_are_filled_and_never_replace_known_ones() {
    let published = Published::of(&sample());
    let (fighters, corrections) = (&published.sheets["fighters"], &published.sheets["corrections"]);
    let mut seen = Vec::new();
    for (name, field) in [("Jubdrim Thrubgle", "reach_in"), ("Jubgrot Plongurk", "nickname")] {
        let row = fighters.one(&[("name", name)]);
        let id = fighters.get(row, "fighter_id").unwrap();
        let change = corrections.one(&[("entity_id", id), ("field", field)]);
        let said = ["change", "old", "new"].map(|column| corrections.get(change, column));
        seen.push((fighters.get(row, field), said));
    }
    let reach = (Some("70"), [Some("filled"), None, Some("70")]);
    let nickname = (Some("The Placeholder"), [Some("withdrawn"), Some("The Placeholder"), None]);
    assert_eq!(seen, [reach, nickname]);
}
