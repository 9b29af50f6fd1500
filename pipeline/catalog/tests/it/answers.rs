//! Answers over small tables: every operator, defaults that the data decide, pages, objects, sections and what is missing.

mod in_file;
mod league;
mod nested;

use arrow::array::RecordBatch;
use fdna_api::Failure;
use fdna_catalog::{CatalogAnswer, CatalogSnapshot, CatalogTables, ListingFilter, RouteCatalog};
use league::{Game, ROUTES, catalog, contract, day, games, of_routes, of_tables, snapshot};
use proptest::prelude::*;
use serde_json::{Value, json};

fn asked(address: &str, today: &str) -> Result<(Value, CatalogAnswer), Failure> {
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let answer = catalog().find(path).unwrap().answer(query, snapshot(), day(today))?;
    Ok((serde_json::from_slice(&answer.data).unwrap(), answer))
}

fn get(address: &str) -> Value {
    asked(address, "2024-10-08").unwrap().0
}

fn meta(address: &str) -> Value {
    asked(address, "2024-10-08").unwrap().1.meta.into()
}

/// A column of a list.
fn column(address: &str, name: &str) -> Vec<Value> {
    get(address).as_array().unwrap().iter().map(|row| row[name].clone()).collect()
}

fn failed(address: &str) -> Failure {
    asked(address, "2024-10-08").unwrap_err()
}

#[test]
fn a_row_is_written_with_objects_in_the_order_of_the_contract_and_nulls() {
    let (_, answer) = asked("/t/game/g1", "2024-10-08").unwrap();
    let text = String::from_utf8(answer.data).unwrap();
    let expected = r#"{"game_id":"g1","season":"2023-24","day":"2023-10-08","home":{"abbr":"TOR","goals":0},"starts_at":"2023-10-08T19:00:00Z","away":{"abbr":"BOS"},"share":0.0,"is_final":true,"stars":[{"name":"A"}]}"#;
    assert_eq!(text, expected);
    let unplayed = get("/t/game/g5");
    assert_eq!((&unplayed["home"]["goals"], &unplayed["stars"]), (&Value::Null, &Value::Null));
    assert_eq!((&unplayed["starts_at"], &unplayed["is_final"]), (&Value::Null, &json!(false)));
    assert_eq!(get("/t/game/g2")["starts_at"], "2024-01-08T19:00:00.002Z");
}

#[test]
fn an_id_that_nobody_knows_is_404_and_a_known_one_without_rows_says_why() {
    let failure = failed("/t/game/g9");
    assert_eq!((failure.code.name(), &*failure.docs), ("not_found", "/docs#t_game_id"));
    assert_eq!(failure.details.unwrap().id.as_deref(), Some("g9"));
    assert_eq!(
        failed(&format!("/t/game/{}", "é".repeat(90))).details.unwrap().id.unwrap().chars().count(),
        51
    );
    assert_eq!(failed("/t/player/p9/metrics").code.status(), 404);
    assert_eq!(get("/t/player/p3/metrics"), json!({"available": false, "reason": "no chances"}));
    assert_eq!(meta("/t/player/p3/metrics").get("total"), None);
    // That nothing fits a parameter is another thing.
    assert_eq!(get("/t/player/p2/metrics?min_confidence=high"), json!([]));
}

#[test]
fn values_of_a_path_are_decoded_and_their_case_does_not_matter() {
    for path in ["/t/team/TOR/games", "/t/team/tor/games", "/t/team/%54or/games"] {
        assert_eq!(column(path, "game_id"), ["g5", "g4", "g1"], "{path}");
    }
    assert_eq!(get("/t/players/JAN-Novak")["name"], "Jan Novák");
    assert_eq!(failed("/t/team/%ff/games").code.status(), 400);
    assert_eq!(failed("/t/game/G1").code.status(), 404);
}

#[test]
fn the_newest_is_that_of_the_rows_that_the_path_and_fixed_columns_leave() {
    assert_eq!(
        (column("/t/schedule", "game_id"), meta("/t/schedule")["season"].clone()),
        (vec!["g3".into(), "g4".into()], "2024-25".into())
    );
    assert_eq!(column("/t/schedule?season=2023-24", "game_id"), ["g1", "g2"]);
    // Of that season.
    assert_eq!(column("/t/newest-day", "game_id"), ["g5"]);
    assert_eq!(column("/t/newest-day?season=2023-24", "game_id"), ["g2"]);
    assert_eq!(meta("/t/newest-day?season=2023-24")["date"], "2024-01-08");
}

#[test]
fn a_day_without_rows_is_an_empty_list_with_the_nearest() {
    assert_eq!(column("/t/today", "game_id"), ["g3", "g4"]);
    let (rows, answer) = asked("/t/today", "2024-03-01").unwrap();
    assert_eq!((rows, answer.depends_on_day), (json!([]), true));
    assert_eq!(answer.meta["nearest"], json!({"before": "2024-01-08", "after": "2024-10-08"}));
    let (rows, answer) = asked("/t/board", "2025-01-01").unwrap();
    assert_eq!((rows, &answer.meta["date"]), (json!([]), &json!("2025-01-01")));
    assert_eq!(answer.meta["nearest"], json!({"before": "2024-10-09", "after": null}));
    let (_, answer) = asked("/t/board?date=2023-01-01&team=NYR", "2025-01-01").unwrap();
    assert_eq!(
        (answer.meta["nearest"].clone(), answer.depends_on_day),
        (json!({"before": null, "after": "2024-01-08"}), false)
    );
    assert_eq!(meta("/t/board?date=2024-10-09").get("nearest"), None);
}

#[test]
fn filters_take_equal_values_spans_and_any_of_several_columns() {
    assert_eq!(column("/t/games?team=TOR", "game_id"), ["g3", "g4", "g1", "g5"][1..]);
    assert_eq!(column("/t/games?from=2024-01-08&to=2024-10-08", "game_id"), ["g3", "g4", "g2"]);
    assert_eq!(column("/t/games?min_goals=3", "game_id"), ["g3", "g4"]);
    assert_eq!(column("/t/games?goals=0", "game_id"), ["g1"]);
    assert_eq!(column("/t/games?final=false", "game_id"), ["g5"]);
    assert_eq!(column("/t/games?team=TOR&season=2023-24", "game_id"), ["g1"]);
    assert_eq!(
        (meta("/t/games?goals=0")["goals"].clone(), meta("/t/games")["goals"].clone()),
        (0.into(), Value::Null)
    );
    for wrong in ["/t/games?goal=3", "/t/games?from=1", "/t/games?limit=0", "/t/games?season=24"] {
        assert_eq!(failed(wrong).code.name(), "invalid_parameter", "{wrong}");
    }
}

#[test]
fn a_name_that_no_row_has_is_404_with_the_nearest_and_one_without_rows_here_is_an_empty_list() {
    let near = |address: &str| {
        let failure = failed(address);
        assert_eq!(failure.code.name(), "not_found", "{address}");
        failure.details.unwrap().did_you_mean.unwrap_or_default()
    };
    assert_eq!(near("/t/games?team=TORR"), ["TOR"]);
    assert_eq!(near("/t/games?season=2022-23"), ["2023-24"]);
    assert_eq!(near("/t/games?season=1850"), ["2023-24"]);
    assert_eq!(near("/t/games?team=TOR&season=2031-32"), ["2024-25"]);
    assert!(near("/t/games?team=%21").is_empty());
    // A team and a season that there are, and no game of both.
    assert_eq!(get("/t/games?team=BOS&season=2023-24&goals=4"), json!([]));
    assert_eq!(get("/t/board?date=2023-10-08&team=NYR"), json!([]));
}

#[test]
fn what_is_held_is_read_from_the_rows() {
    let coverage = |path: &str| snapshot().coverage(catalog().find(path).unwrap().route);
    let games = coverage("/t/games").unwrap();
    assert_eq!(games.note, "Seasons 2023-24 to 2024-25; days 2023-10-08 to 2024-10-09.");
    // Final games alone.
    assert_eq!(coverage("/t/schedule").unwrap().until.as_deref(), None);
    assert_eq!(coverage("/t/schedule").unwrap().seasons, ["2023-24 to 2024-25"]);
    assert_eq!(coverage("/t/players"), None);
    let listing = catalog().listing_of(ListingFilter::default(), Some(snapshot()));
    let listing = serde_json::to_value(listing).unwrap();
    assert_eq!(listing["sports"][0]["groups"][0]["routes"][0]["coverage"], games.note);
}

#[test]
fn seasons_that_follow_one_another_are_a_span() {
    let held = |seasons: &[&'static str]| {
        let all: Vec<Game> =
            seasons.iter().map(|season| (*season, *season, "2024-01-01", "TOR", "BOS", None)).collect();
        let served = CatalogTables::new(catalog(), [(contract("t_games").unwrap(), games(&all))]).unwrap();
        of_tables(served)
            .coverage(catalog().find("/t/games").unwrap().route)
            .map(|held| (held.seasons, held.note))
    };
    let (seasons, note) = held(&["2019", "2025"]).unwrap();
    assert_eq!(
        (seasons, &*note),
        (vec!["2019".to_owned(), "2025".to_owned()], "Seasons 2019, 2025; day 2024-01-01.")
    );
    assert_eq!(
        held(&["2022-23", "2023-24", "2025-26", "2024", "2025"]).unwrap().0,
        ["2024 to 2025", "2022-23 to 2023-24", "2025-26"]
    );
    assert_eq!(held(&[]), None);
}

#[test]
fn a_list_is_in_its_order_with_nulls_last_and_comes_in_pages() {
    assert_eq!(column("/t/games", "game_id"), ["g3", "g4", "g2", "g1", "g5"]);
    for (limit, offset) in [(1, 0), (2, 1), (2, 4), (5, 9)] {
        let address = format!("/t/games?limit={limit}&offset={offset}");
        let all = ["g3", "g4", "g2", "g1", "g5"].map(Value::from);
        let page: Vec<_> = all.iter().skip(offset).take(limit).cloned().collect();
        assert_eq!(column(&address, "game_id"), page);
        let meta = meta(&address);
        let numbers = ["count", "total", "limit", "offset"].map(|name| meta[name].as_u64().unwrap());
        assert_eq!(numbers.map(|n| usize::try_from(n).unwrap()), [page.len(), 5, limit, offset]);
    }
    assert_eq!(get("/t/games")[0], json!({"game_id": "g3", "day": "2024-10-08", "home": {"goals": 5}}));
}

#[test]
fn of_each_key_the_version_of_a_day_counts() {
    let rows = |address: &str| {
        let rows = get(address);
        let rows = rows.as_array().unwrap().iter();
        rows.map(|row| format!("{} {}", row["metric"], row["valid_from"]).replace('"', ""))
            .collect::<Vec<_>>()
    };
    assert_eq!(rows("/t/player/p1/metrics"), ["pace 2024-02-01", "save 2024-01-15"]);
    assert_eq!(rows("/t/player/p1/metrics?as_of=2024-01-31"), ["pace 2024-01-01", "save 2024-01-15"]);
    assert_eq!(rows("/t/player/p1/metrics?as_of=2024-01-01"), ["pace 2024-01-01"]);
    assert_eq!(rows("/t/player/p1/metrics?as_of=2023-01-01"), Vec::<String>::new());
    // The version is chosen first: its confidence does not bring an older one back.
    assert_eq!(rows("/t/player/p1/metrics?as_of=2024-02-02&min_confidence=high"), ["pace 2024-02-01"]);
    assert_eq!(rows("/t/player/p1/metrics?min_confidence=medium"), ["pace 2024-02-01", "save 2024-01-15"]);
    assert_eq!(meta("/t/player/p1/metrics?as_of=2024-01-31")["as_of"], "2024-01-31");
}

#[test]
fn whichever_way_the_path_names_a_subject_its_rows_are_found_by_one() {
    for as_of in ["", "?as_of=2024-01-31", "?as_of=2023-01-01"] {
        let by_id = get(&format!("/t/player/p1/metrics{as_of}"));
        assert_eq!(get(&format!("/t/who/p1/metrics{as_of}")), by_id);
        assert_eq!(get(&format!("/t/who/jan-novak/metrics{as_of}")), by_id);
    }
    assert_eq!(get("/t/who/x/metrics"), json!({"available": false, "reason": "no chances"}));
    assert_eq!(failed("/t/who/p9/metrics").code.status(), 404);
}

#[test]
fn a_search_finds_every_word_without_accents_and_case() {
    let found = |query: &str| column(&format!("/t/players?q={query}"), "player_id");
    assert_eq!(found("jan"), ["p1", "p3"]);
    assert_eq!(found("NOVAK+jan"), ["p1"]);
    assert_eq!(found("oneil"), ["p3"]);
    assert_eq!(found("jan+snow"), Vec::<Value>::new());
    assert_eq!(found("%21"), Vec::<Value>::new());
}

#[test]
fn sections_without_rows_are_null_with_the_reason() {
    let one = get("/t/player/p1");
    assert_eq!((&one["who"]["name"], one["metrics"].as_array().unwrap().len()), (&json!("Jan Novák"), 3));
    assert_eq!(one.get("unavailable"), None);
    let three = asked("/t/player/p3", "2024-10-08").unwrap().1.data;
    let expected = r#"{"who":{"player_id":"p3","slug":"x","name":"Ján O'Neil"},"metrics":null,"unavailable":{"metrics":"nobody counts them"}}"#;
    assert_eq!(String::from_utf8(three).unwrap(), expected);
    assert_eq!(get("/t/player/p3/numbers"), json!({"available": false, "reason": "not_captured"}));
    assert_eq!(failed("/t/player/p9").code.status(), 404);
}

#[test]
fn without_its_tables_a_route_is_not_published() {
    let none = CatalogSnapshot::default();
    let failure = catalog().find("/t/games").unwrap().answer("", &none, day("2024-10-08")).unwrap_err();
    assert_eq!(failure.code.name(), "sport_not_published");
    let empty = [(contract("t_games").unwrap(), games(&[]))];
    let empty = of_tables(CatalogTables::new(catalog(), empty).unwrap());
    let answer = catalog().find("/t/games").unwrap().answer("", &empty, day("2024-10-08")).unwrap();
    assert_eq!(answer.data, br#"{"available":false,"reason":"not_captured"}"#);
    let wrong = RecordBatch::new_empty(contract("t_players").unwrap().arrow_schema());
    let fault = CatalogTables::new(catalog(), [(contract("t_games").unwrap(), wrong)]).unwrap_err();
    assert!(fault.to_string().contains("t_games.game_id"), "{fault}");
}

#[test]
fn requests_that_mean_the_same_have_one_key() {
    let key = |address: &str| {
        let (path, query) = address.split_once('?').unwrap_or((address, ""));
        catalog().find(path).unwrap().key(query).unwrap()
    };
    assert_eq!(key("/t/games?team=TOR&limit=50"), key("/v1/t/games?team=%54OR"));
    assert_ne!(key("/t/games?team=TOR"), key("/t/games?team=BOS"));
    assert_ne!(key("/t/game/g1"), key("/t/game/g2"));
}

#[test]
fn tables_that_routes_misname_are_refused_with_the_reason() {
    let head = ROUTES.split("[[group.route]]").next().unwrap();
    let route = |path: &str, lines: &str| {
        format!(
            "{head}[[group.route]]\npath = \"{path}\"\nkind = \"stated\"\nsources = [\"a\"]\nmeaning = \"m\"\n{lines}\n"
        )
    };
    let list = |lines: &str| route("/t/a", &format!("shape = \"list\"\ntable = \"t_games\"\n{lines}"));
    let param = |lines: &str| list(&format!("[[group.route.param]]\nname = \"p\"\nmeaning = \"m\"\n{lines}"));
    let nested = |by: &str, name: &str, rank: &str, sort: &str| {
        let word = "type = \"word\"\nvalues = [\"a\"]\ndefault = \"a\"\nop = \"rank\"";
        let lines = format!(
            "shape = \"list\"\ntable = \"t_profiles\"\ncolumns = [\"player_id\", \"team\"]\n\
             nested = {{ by = \"{by}\", name = \"{name}\", rank = \"{rank}\" }}\n\
             [[group.route.param]]\nname = \"p\"\nmeaning = \"m\"\ncolumn = \"{sort}\"\n{word}"
        );
        route("/t/a", &lines)
    };
    let path = |lines: &str| {
        let param =
            format!("[[group.route.path_param]]\nname = \"id\"\ntype = \"id\"\nmeaning = \"m\"\n{lines}");
        route("/t/a/:id", &format!("shape = \"list\"\ntable = \"t_games\"\n{param}"))
    };
    let two_paths = |columns: &str| {
        let entity = "entity = \"t_games\"\nsubject = \"game_id\"";
        let other = path(&format!("column = [{columns}]\n{entity}")).replace("/t/a/", "/t/b/");
        path(&format!("column = \"game_id\"\n{entity}")) + other.strip_prefix(head).unwrap()
    };
    for (text, why) in [
        (route("/t/a", "shape = \"list\"\ntable = \"t_none\""), "no table `t_none`"),
        (two_paths("\"game_id\""), ""),
        (two_paths("\"game_id\", \"home_abbr\""), "finds `t_games` by other columns than /t/a/:id does"),
        (route("/t/a", "shape = \"list\"\norder = [\"day\"]"), "names none"),
        (route("/t/a", "shape = \"sections\"\ntable = \"t_games\""), "sections are of a route"),
        (list("order = [\"-goals\"]"), "no column `goals`"),
        (list("columns = [\"x\"]"), "no column `x`"),
        (list("where = { season = 2024 }"), "`t_games.season` is never that"),
        (list("where = { day = \"soon\" }"), "`t_games.day` is never that"),
        (param("type = \"date\""), "`p` has no column"),
        (param("type = \"date\"\ncolumn = \"x\""), "`p` has no column in any table"),
        (param("type = \"date\"\ncolumn = \"season\""), "of another type than `season`"),
        (param("type = \"text\"\ncolumn = \"season\"\nop = \"from\""), "cannot ask that"),
        (param("type = \"season\"\ncolumn = \"season\"\nop = \"search\""), "cannot ask that"),
        (param("type = \"date\"\ncolumn = \"day\"\nop = \"as_of\""), "cannot ask that"),
        (param("type = \"date\"\ncolumn = \"day\"\nop = \"near\""), "unknown variant `near`"),
        (param("type = \"date\"\ncolumn = \"day\"\ndefault = \"soon\""), "cannot be `soon`"),
        (param("type = \"season\"\ncolumn = \"season\"\ndefault = \"today\"").replace("today", "2024"), ""),
        (
            param("type = \"text\"\ncolumn = \"season\"").replace("\"p\"", "\"kind\""),
            "another meaning in `meta`",
        ),
        (path(""), "`id` of its path has no column"),
        (path("column = \"day\""), "`id` is a text, and `day` is none"),
        (path("column = \"game_id\"\nentity = \"t_players\""), "`t_players` has no column `game_id`"),
        (path("column = \"game_id\"\nsubject = \"game_id\""), "`id` leads to `game_id` of no entity"),
        (nested("player_id", "metrics", "value", "metric"), ""),
        (nested("metric", "metrics", "value", "confidence"), "rows of one `metric` do not stand together"),
        (nested("x", "metrics", "value", "metric"), "no column `x`"),
        (nested("player_id", "team", "value", "metric"), "or stands beside one"),
        (nested("player_id", "metrics", "team", "metric"), "`metrics` has no column `team`"),
        (nested("player_id", "metrics", "value", "team"), "one parameter ranks by a column of `metrics`"),
        (
            list("nested = { by = \"game_id\", name = \"n\", rank = \"share\" }\ncolumns = [\"game_id\"]"),
            "one parameter ranks",
        ),
        (
            param("type = \"word\"\nvalues = [\"a\"]\ndefault = \"a\"\ncolumn = \"season\"\nop = \"rank\""),
            "rows are nested",
        ),
        (
            path("column = \"player_id\"\nentity = \"t_players\"\nsubject = \"x\""),
            "`t_games` has no column `x`",
        ),
    ] {
        let fault = of_routes(&text).map(drop).err().unwrap_or_default();
        assert!(fault.contains(why) && fault.is_empty() == why.is_empty(), "{why}: {fault}");
    }
}

#[test]
fn the_document_says_what_a_route_answers() {
    let document = fdna_catalog::document(catalog());
    let data = |path: &str| {
        let success = &document["paths"][path]["get"]["responses"]["200"];
        success["content"]["application/json"]["schema"]["properties"]["data"]["oneOf"][0].clone()
    };
    let game = data("/t/game/{id}");
    assert_eq!(game["properties"]["home"]["required"], json!(["abbr", "goals"]));
    assert_eq!(game["properties"]["share"]["type"], json!(["number", "null"]));
    assert_eq!(data("/t/games")["items"]["required"], json!(["game_id", "day", "home"]));
    assert_eq!(data("/t/player/{id}")["required"], json!(["metrics", "who"]));
    let profile = data("/t/profiles")["items"].clone();
    assert_eq!(profile["required"], json!(["player_id", "team", "metrics"]));
    let metric = &profile["properties"]["metrics"]["items"];
    assert_eq!(metric["required"], json!(["metric", "value", "confidence", "valid_from"]));
}

#[test]
fn listing_and_health_say_what_is_served() {
    let captured = [("t-a".to_owned(), day("2024-10-09").and_hms_opt(6, 0, 0).unwrap().and_utc())];
    let games = CatalogTables::new(catalog(), [(contract("t_games").unwrap(), games(&[]))]).unwrap();
    let snapshot = CatalogSnapshot { id: "s".to_owned(), captured: captured.into(), ..of_tables(games) };
    let health = serde_json::to_value(catalog().health_of(Some(&snapshot))).unwrap();
    assert_eq!((&health["status"], &health["snapshot_id"]), (&json!("ok"), &json!("s")));
    let sport = &health["sports"][0];
    assert_eq!(
        (&sport["served"], &sport["rows"], &sport["is_published"]),
        (&json!(7), &json!(0), &json!(false))
    );
    assert_eq!(sport["captured_until"], "2024-10-09T06:00:00Z");
    let listing = catalog().listing_of(ListingFilter::default(), Some(&snapshot));
    let listing = serde_json::to_value(listing).unwrap();
    let routes = listing["sports"][0]["groups"][0]["routes"].as_array().unwrap();
    let served: Vec<_> = routes.iter().filter(|route| route["status"] == "served").collect();
    assert_eq!((served.len(), &served[0]["code"]), (7, &Value::Null));
    let sources = serde_json::to_value(snapshot.sources(catalog().find("/t/games").unwrap().route)).unwrap();
    assert_eq!(sources, json!([{"name": "t-a", "captured_at": "2024-10-09T06:00:00Z"}]));
}

#[test]
fn a_route_whose_sources_have_no_licence_that_counts_is_refused_whatever_is_captured() {
    let catalog = RouteCatalog::get().unwrap();
    let of = |licences: &[&str]| CatalogSnapshot {
        licences: licences.iter().map(|licence| (*licence).to_owned()).collect(),
        ..CatalogSnapshot::default()
    };
    let code = |path: &str, served: &CatalogSnapshot| {
        let failure = catalog.find(path).unwrap().answer("", served, day("2026-02-01")).unwrap_err();
        (failure.code.name(), failure.message.contains("licence is T"))
    };
    assert_eq!(code("/nhl/odds", &of(&["A", "B"])), ("source_not_licensed", true));
    assert_eq!(code("/nhl/odds", &of(&["A", "T"])), ("sport_not_published", false));
    assert_eq!(code("/nhl/odds", &of(&[])), ("sport_not_published", false));
    // Of two sources one is enough.
    assert_eq!(code("/nhl/scoreboard", &of(&["A", "B"])), ("sport_not_published", false));
    let listing = catalog.listing_of(ListingFilter::default(), Some(&of(&["A", "B"])));
    let listing = serde_json::to_value(listing).unwrap().to_string();
    assert!(listing.contains(r#""status":"not_licensed""#) && listing.contains("source_not_licensed"));
}

/// Rows of few values, some of them null.
fn rows() -> impl Strategy<Value = Vec<(u8, u8, Option<i32>)>> {
    proptest::collection::vec((0..4_u8, 0..4_u8, proptest::option::of(0..4)), 0..40)
}

proptest! {
    #[test]
    fn an_index_finds_what_a_scan_finds(rows in rows(), team in 0..5_u8, season in 0..4_u8, page in (1..9_usize, 0..9_usize)) {
        const TEAMS: [&str; 5] = ["A", "B", "C", "D", "E"];
        const SEASONS: [&str; 4] = ["2021", "2022", "2023", "2024"];
        let ids: Vec<&'static str> = (0..rows.len()).map(|place| &*format!("g{place:02}").leak()).collect();
        let all: Vec<Game> = rows.iter().zip(ids).map(|((home, away, goals), id)| {
            (id, SEASONS[usize::from(home + away) % 4], "2024-01-01", TEAMS[usize::from(*home)], TEAMS[usize::from(*away)], *goals)
        }).collect();
        let contract = contract("t_games").unwrap();
        // Tables that no route of their catalog asks for have no index.
        let bare = RouteCatalog::of_files(&[]).unwrap();
        let [indexed, scanned] = [catalog(), &bare]
            .map(|catalog| of_tables(CatalogTables::new(catalog, [(contract, games(&all))]).unwrap()));
        let answer = |address: &str, served| {
            let (path, query) = address.split_once('?').unwrap_or((address, ""));
            let answer = catalog().find(path).unwrap().answer(query, served, day("2024-01-01"));
            answer.map(|answer| (serde_json::from_slice::<Value>(&answer.data).unwrap(), answer.meta))
        };
        let of_season = format!("season={}", SEASONS[usize::from(season)]);
        let of_team = format!("team={}", TEAMS[usize::from(team)]);
        for query in ["", &*of_team, &*of_season, &*format!("{of_team}&{of_season}"), &*format!("{of_team}&{of_season}&min_goals=1")] {
            let (games, (limit, offset)) = (format!("/t/games?{query}"), page);
            let found = answer(&games, &indexed);
            prop_assert_eq!(&found, &answer(&games, &scanned), "{}", games);
            let Some(rows) = found.as_ref().ok().and_then(|(rows, _)| rows.as_array()) else { continue };
            let rows: Vec<_> = rows.iter().skip(offset).take(limit).cloned().collect();
            let (page, _) = answer(&format!("{games}&limit={limit}&offset={offset}"), &indexed).unwrap();
            prop_assert_eq!(page.as_array(), Some(&rows), "{}", games);
        }
        let path = format!("/t/team/{}/games", TEAMS[usize::from(team)]);
        for address in ["/t/schedule", "/t/newest-day", "/t/game/g07", &*path] {
            prop_assert_eq!(answer(address, &indexed), answer(address, &scanned), "{}", address);
        }
    }
}
