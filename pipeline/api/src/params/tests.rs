use super::read::{decimal, instant};
use super::*;
use crate::operations::parameters::{INCLUDE, LIMIT};
use crate::operations::{dna_query, events, fighters, fighters_media};
use crate::{ErrorCode, all_operations, operation};
use proptest::prelude::*;
use uuid::Uuid;

fn of_events(query: &str) -> Result<Params, Failure> {
    Params::parse(operation("events").unwrap().parameters(), query)
}

#[test]
fn what_is_left_out_has_its_default_and_order_does_not_matter() {
    let bare = of_events("").unwrap();
    assert_eq!((bare.get(LIMIT), bare.get(events::STATUS), bare.get(events::DATE)), (25, "all", None));
    let a = of_events("limit=3&date=2024-02-29").unwrap().normalised();
    assert_eq!(a, of_events("date=2024-02-29&status=all&&limit=3").unwrap().normalised());
    assert_ne!(a, bare.normalised());
}

#[test]
fn each_bad_value_is_refused_with_the_parameter_and_what_it_allows() {
    for query in [
        "limit=0",
        "limit=1001",
        "limit=",
        "limit=+5",
        "limit=-1",
        "limit=5.0",
        "limit=99999999999999999999",
        "status=ALL",
        "status=",
        "status",
        "date=2024-2-9",
        "date=2023-02-29",
        "date=+024-02-09",
        "date=x",
        "limit=1&limit=1",
        "limt=5",
        "limit=%35%35%35%35",
    ] {
        let failure = of_events(query).expect_err(query);
        assert_eq!(failure.code, ErrorCode::InvalidParameter, "{query}");
        let details = failure.details.unwrap();
        assert!(details.parameter.is_some() && details.allowed.is_some(), "{query}");
    }
    let failure = of_events("limit=0").unwrap_err();
    assert_eq!(failure.message, "`limit` must be an integer from 1 to 1000 (got `0`)");
}

#[test]
fn an_instant_is_one_that_can_be_written_again() {
    let at = |text: &str| instant(text).map(|at| at.to_rfc3339());
    assert_eq!(at("2025-01-31T06:00:00+01:00").as_deref(), Some("2025-01-31T05:00:00+00:00"));
    assert_eq!(at("9999-12-31T23:59:59-00:01"), None);
    assert_eq!(at("0000-01-01T00:00:00+00:01"), None);
}

#[test]
fn a_number_is_what_json_writes_and_minus_zero_is_zero() {
    for (text, number) in [
        ("-1.5", Some(-1.5)),
        ("007", Some(7.0)),
        ("0.10", Some(0.1)),
        ("-0", Some(0.0)),
        ("1e-05", Some(1e-5)),
        ("2.5E+2", Some(250.0)),
        ("0.30000000000000004", Some(0.1 + 0.2)),
    ] {
        assert_eq!(decimal(text), number, "{text}");
    }
    assert!(decimal("-0").is_some_and(f64::is_sign_positive));
    for text in [
        "", "-", ".", "1.", ".1", "1.2.3", "+1", " 1", "1e", "e1", "1e1.5", "1e400", "0x1", "nan", "inf",
        "--1", "1-",
    ] {
        assert_eq!(decimal(text), None, "{text}");
    }
}

#[test]
fn what_is_needed_is_asked_for() {
    let query = operation("dna_query").unwrap();
    let failure = Params::parse(query.parameters(), "limit=5").unwrap_err();
    assert_eq!(failure.message, "Missing required parameter `metric` (1 to 100 characters)");
    let params = Params::parse(query.parameters(), "metric=a&limit=5&cursor=x").unwrap();
    assert_eq!((params.get(dna_query::SORT), params.get(dna_query::MIN)), (None, None));
    let other = Params::parse(query.parameters(), "metric=a").unwrap();
    let kept = |p: &Params| p.normalised_without(&["cursor", "limit"]);
    assert_eq!(kept(&params), kept(&other));
}

#[test]
fn what_is_not_declared_cannot_be_read() {
    let params = of_events("").unwrap();
    assert_eq!(params.find(INCLUDE), None);
    assert!(std::panic::catch_unwind(|| params.get(INCLUDE)).is_err(), "not declared");
    let query = Params::parse(operation("dna_query").unwrap().parameters(), "metric=a").unwrap();
    assert!(std::panic::catch_unwind(|| query.get(fighters::ACTIVE)).is_err(), "declared as another type");
}

#[test]
fn undecodable_text_is_refused() {
    for query in ["%zz=1", "date=%f", "date=%ff", "limit=%"] {
        assert_eq!(of_events(query).unwrap_err().code, ErrorCode::InvalidRequest, "{query}");
    }
}

#[test]
fn a_list_is_put_in_the_order_of_the_contract() {
    let card = operation("card").unwrap();
    let params = Params::parse(card.parameters(), "include=stats,media,stats").unwrap();
    assert_eq!(params.get(INCLUDE), ["media", "stats"]);
    for query in ["include=", "include=odds", "include=media,", "include=media%20"] {
        assert!(Params::parse(card.parameters(), query).is_err(), "{query}");
    }
    let failure = Params::parse(card.parameters(), "include=stats,stats,stats,stats").unwrap_err();
    let message = "`include` must be a comma-separated list of at most 3 of media, results, stats (got `stats,stats,stats,stats`)";
    assert_eq!(failure.message, message);
}

#[test]
fn a_list_may_be_repeated_and_means_the_same() {
    let card = operation("card").unwrap();
    let (once, twice) = ("include=media,stats", "include=stats&include=media");
    assert_eq!(
        Params::parse(card.parameters(), once).unwrap().normalised(),
        Params::parse(card.parameters(), twice).unwrap().normalised()
    );
    for query in
        ["include=media&include=", "include=media&include=odds", "include=media&include=media,stats,media"]
    {
        assert!(Params::parse(card.parameters(), query).is_err(), "{query}");
    }
    let media = operation("fighters_media").unwrap();
    let [a, b] = [1, 2].map(Uuid::from_u128);
    let params = Params::parse(media.parameters(), &format!("ids={b}&ids={a}")).unwrap();
    assert_eq!(params.get(fighters_media::IDS), [b, a]);
    let many: Vec<String> = (0..151).map(|n| format!("ids={}", Uuid::from_u128(n))).collect();
    assert!(Params::parse(media.parameters(), &many[..150].join("&")).is_ok());
    assert!(Params::parse(media.parameters(), &many.join("&")).is_err());
}

#[test]
fn what_is_wrong_is_said_in_words_with_what_may_have_been_meant() {
    for (name, query, message) in [
        ("index", "foo=1", "This operation takes no query parameters (got `foo`)"),
        ("search", "limit=5", "Missing required parameter `q` (1 to 100 characters)"),
        ("fighters", "offset=-1", "`offset` must be an integer of 0 or more (got `-1`)"),
        ("events", "limit=1&limit=1", "`limit` was given more than once: send it once"),
        (
            "events",
            "status=recents",
            "`status` must be one of all, upcoming, recent (got `recents`). Did you mean `recent`?",
        ),
    ] {
        let failure = Params::parse(operation(name).unwrap().parameters(), query).unwrap_err();
        assert_eq!(failure.message, message, "{name}?{query}");
    }
    let failure =
        Params::parse(operation("results").unwrap().parameters(), "weight_class=Lightweight").unwrap_err();
    assert_eq!(failure.details.unwrap().did_you_mean.unwrap()[0], "LIGHTWEIGHT");
    let failure = Params::parse(operation("events").unwrap().parameters(), "limt=5").unwrap_err();
    assert_eq!(failure.details.unwrap().did_you_mean.unwrap()[0], "limit");
}

#[test]
fn a_search_text_is_counted_in_characters() {
    let fighters = operation("fighters").unwrap();
    let long = "%C3%A9".repeat(100);
    assert!(Params::parse(fighters.parameters(), &format!("q={long}")).is_ok());
    assert!(Params::parse(fighters.parameters(), &format!("q={long}e")).is_err());
    assert_eq!(
        Params::parse(fighters.parameters(), "q=jon+jones").unwrap().get(fighters::Q),
        Some("jon jones")
    );
    assert!(Params::parse(fighters.parameters(), "q=+").is_err());
}

#[test]
fn a_list_of_ids_has_a_bound_and_holds_each_once() {
    let media = operation("fighters_media").unwrap();
    let id = |n: u128| Uuid::from_u128(n).to_string();
    let ids = |text: &str| {
        Params::parse(media.parameters(), &format!("ids={text}")).map(|p| p.get(fighters_media::IDS).to_vec())
    };
    let (a, b) = (id(0xa), id(0xb));
    let each_once = ids(&format!("{b},{a},{}", b.to_uppercase())).unwrap();
    assert_eq!(each_once, [Uuid::from_u128(0xb), Uuid::from_u128(0xa)]);
    let many = |n: u128| (0..n).map(id).collect::<Vec<_>>().join(",");
    assert_eq!(ids(&many(150)).unwrap().len(), 150);
    assert!(ids(&many(151)).is_err());
    let simple = Uuid::nil().simple().to_string();
    for text in ["", ",", "fa", &simple, &format!("{a},"), &format!("{a} ")] {
        assert!(ids(text).is_err(), "{text}");
    }
    assert!(Params::parse(media.parameters(), "").is_err());
}

#[test]
fn ids_are_taken_from_their_places_in_the_path() {
    let ids = path_ids("/v1/mma/matchups/{fighterA}/{fighterB}/dna", "/v1/mma/matchups/a%20b/c+d/dna");
    assert_eq!(ids.unwrap(), ["a b", "c+d"]);
}

proptest! {
    #[test]
    fn any_query_is_read_or_refused_with_400(query in "[a-z_=&%+,0-9é-]{0,60}") {
        for operation in all_operations() {
            let status = Params::parse(operation.parameters(), &query).map_or_else(|f| f.code.status(), |_| 400);
            prop_assert_eq!(status, 400);
        }
    }

    #[test]
    fn any_segment_is_read_or_refused(segment in "\\PC{0,40}") {
        let _ = path_ids("/v1/mma/events/{id}", &format!("/v1/mma/events/{segment}"));
    }
}
