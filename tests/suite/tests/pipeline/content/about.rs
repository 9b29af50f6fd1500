//! Whom a text is about.

use crate::content::{facts, history, news, told};

/// Whom one headline of that day is about.
fn about(headline: &str, date: &str) -> Vec<String> {
    let file = news(&[(headline, "https://outlet.example/a", "Outlet", date)]);
    told(vec![facts("news", date, &[("a.json", &file)])]).mentions()
}

#[test]
fn a_headline_is_about_those_whom_it_names_clearly() {
    let day = "2026-03-01";
    let quandle = "fighter Zorvik Quandle: full_name";
    let bout = |rule: &str| {
        vec![
            format!("bout: {rule}"),
            "event UFC 326: Quandle vs. Tand: of_bout".to_owned(),
            format!("fighter Mirela Tand: {rule}"),
            format!("fighter Zorvik Quandle: {rule}"),
        ]
    };
    assert_eq!(about("Zorvik Quandle's rise", day), [quandle]);
    assert_eq!(about("ZÓRVIK QUANDLE is back #shorts", day), [quandle]);
    assert_eq!(about("Quandle vs. Tand is on", day), bout("pair"));
    let half_in_full = about("QUANDLE vs MIRELA TAND: who wins", day);
    assert_eq!(half_in_full[..2], bout("pair")[..2]);
    assert_eq!(half_in_full[2..], ["fighter Mirela Tand: full_name", "fighter Zorvik Quandle: pair"]);
    assert_eq!(about("Mirela Tand laughs #zorvikquandle", day), ["fighter Mirela Tand: full_name", quandle]);
    assert_eq!(about("Tand shuts down Zorvik Quandle", day)[2], "fighter Mirela Tand: surname_of_opponent");
    assert_eq!(about("Mirela Tand, Zorvik Quandle make weight", day)[0], "bout: both_names");
    assert_eq!(about("Iain St. Rell speaks", day), ["fighter Iain St. Rell: full_name"]);
    assert_eq!(
        about("What Quoss did at UFC 326", day),
        ["event UFC 326: Quandle vs. Tand: event_number", "fighter Abel Quoss: surname_at_event"]
    );
    assert_eq!(
        about("Fight Night: Varga vs. Ostrom results", day),
        [
            "bout: pair",
            "event UFC Fight Night: Varga vs. Ostrom: fight_night_headliners",
            "fighter Lio Varga: pair",
            "fighter Pia Ostrom: pair",
        ]
    );
    assert_eq!(about("#UFC326 is here", day), ["event UFC 326: Quandle vs. Tand: event_number"]);
}

#[test]
fn what_is_not_clear_is_about_nobody() {
    let day = "2026-03-01";
    for nobody in [
        "Quandle speaks", // a surname alone
        "quandle vs. nobody we know",
        "zorvik quandle in small letters", // no name is written so
        "Zorvik, Quandle and others",
        "UFC 3266 and UFC 9",
        "Ezra Olds wins the lottery", // one bout, long ago: rather somebody else
        "",
        "🔥🔥🔥",
    ] {
        assert_eq!(about(nobody, day), Vec::<String>::new(), "{nobody}");
    }
    // A surname on the card, but of somebody with another first name, and one that is a word.
    let event = ["event UFC 326: Quandle vs. Tand: event_number"];
    assert_eq!(about("Zorvik Quoss at UFC 326", day), event);
    assert_eq!(about("The Hill to die on at UFC 326", day), event);
    // Long after the bout the pair means none, and a full name still means the fighter.
    assert_eq!(about("Quandle vs. Tand, looking back", "2026-08-01"), Vec::<String>::new());
    assert_eq!(about("Tand beat Zorvik Quandle", "2026-08-01"), ["fighter Zorvik Quandle: full_name"]);
}

#[test]
fn of_two_of_one_name_the_one_who_fights_is_meant() {
    let found = told(vec![facts(
        "news",
        "2026-03-01",
        &[("a.json", &news(&[("Bruno Vex speaks", "https://outlet.example/a", "Outlet", "2026-03-01")]))],
    )]);
    assert_eq!(found.mentions(), ["fighter Bruno Vex: full_name_of_several"]);
    let id = found.read("mentions").ids("entity_id").unwrap()[0];
    let history = history();
    let bouts = history.table_reader("bouts").unwrap();
    let fights = bouts.ids("fighter_a_id").unwrap().into_iter().zip(bouts.ids("fighter_b_id").unwrap());
    let dates = bouts.days("event_date").unwrap();
    let date = fights.zip(dates).find(|((a, b), _)| *a == id || *b == id).unwrap().1;
    assert_eq!(date.to_string(), "2026-03-07");
    // Between the two careers nobody can say.
    assert_eq!(about("Bruno Vex speaks", "2018-01-01"), Vec::<String>::new());
}

#[test]
fn a_host_is_not_told_about_by_the_titles_of_his_show() {
    let video = |channel| {
        let file = news(&[(
            "Abel Quoss talks to Zorvik Quandle",
            "https://www.youtube.com/watch?v=aaaaaaaaaa1",
            channel,
            "2026-03-01",
        )]);
        told(vec![facts("news", "2026-03-01", &[("a.json", &file)])]).mentions()
    };
    assert_eq!(video("Zorvik Quandle YouTube"), ["fighter Abel Quoss: full_name"]);
    assert_eq!(video("Another YouTube").len(), 2);
}
