//! What customers ask first, over HTTP, on the real captures: records of famous fighters, as stated and as counted, and
//! metrics as of a day long after a bout.

use fdna_lake::PanelSet;
use fdna_schemas::TableReader;
use fdna_suite::TestLake;
use fdna_suite::http::Serving;
use serde_json::{Value, json};

const PROGRAM: &str = env!("CARGO_BIN_EXE_fightdna-under-test");

struct Served {
    bench: TestLake,
    serving: Serving,
}

/// `None` where there are no real captures.
fn served() -> Option<Served> {
    let data = fdna_kit::real_data()?;
    let source = |name: &str, folder: &str| format!("{name}={}", data.join(folder).display());
    let six = source("statsdb", "statsdb-csv/2025-11-02");
    let (ids, career) = (source("statsdb-ids", "statsdb-ids/2024-12-14"), source("career", "career"));
    let rankings = source("rankings", "rankings");
    let run = ["run", "--source", &six, "--source", &ids, "--captures", &career, "--source", &rankings];
    let bench = TestLake::shared(PROGRAM, &[&run]).copy();
    let serving = Serving::start(&bench);
    Some(Served { bench, serving })
}

/// A run takes long, so that one is asked about all records, and one about all metrics.
#[test]
fn records_are_stated_and_counted() {
    let Some(served) = served() else { return };
    counted_and_stated_records_of_famous_fighters_are_theirs(&served);
    a_record_is_as_of_a_day_and_a_bout_or_a_statement_of_it_is_the_future(&served);
    a_fighter_shows_the_record_of_today_and_the_counted_one_apart(&served);
    champions_are_those_of_the_record(&served);
    who_is_meant_is_found_first(&served);
    names_that_several_bear_are_nobodys_record_and_are_listed_as_doubtful(&served);
}

#[test]
fn metrics_are_of_the_asked_day() {
    let Some(served) = served() else { return };
    metrics_of_time_go_on_after_the_latest_bout(&served);
    a_panel_says_the_same_of_the_day(&served);
    what_is_not_recorded_for_a_year_lowers_the_confidence_and_says_when_it_was(&served);
    two_who_can_never_meet_have_no_expectation(&served);
    leaderboards_are_of_who_is_active_on_the_day_unless_all_are_asked_for(&served);
}

impl Served {
    fn get(&self, path: &str) -> Value {
        let ask = || serde_json::from_str::<Value>(&self.serving.get(path).text()).unwrap();
        // On a busy machine the versions of a first day may take longer to read than a request waits.
        let is_there = |answer: &Value| answer["error"]["code"] != "snapshot_not_available";
        let answer = (0..20).map(|_| ask()).find(is_there).unwrap_or_else(ask);
        assert_eq!(answer["ok"], true, "{path}: {answer}");
        answer
    }

    /// The only fighter of the name.
    fn id(&self, name: &str) -> String {
        let found = self.get(&format!("/v1/mma/fighters?q={}", name.replace(' ', "%20")));
        let all = found["data"].as_array().unwrap().iter().filter(|fighter| fighter["name"] == name);
        let ids: Vec<&str> = all.map(|fighter| fighter["id"].as_str().unwrap()).collect();
        assert_eq!(ids.len(), 1, "{name}");
        ids[0].to_owned()
    }

    fn record(&self, name: &str, as_of: &str) -> Value {
        self.get(&format!("/v1/mma/fighters/{}/record{as_of}", self.id(name)))["data"].take()
    }

    fn metrics(&self, name: &str, as_of: &str) -> Value {
        self.get(&format!("/v1/mma/fighters/{}/dna?as_of={as_of}", self.id(name)))["data"].take()
    }

    fn matchup(&self, a: &str, b: &str, as_of: &str) -> Value {
        let (a, b) = (self.id(a), self.id(b));
        self.get(&format!("/v1/mma/matchups/{a}/{b}/dna?as_of={as_of}"))["data"].take()
    }
}

fn counts(record: &Value) -> [i64; 4] {
    ["wins", "losses", "draws", "no_contests"].map(|field| record[field].as_i64().unwrap())
}

fn counted_and_stated_records_of_famous_fighters_are_theirs(served: &Served) {
    // Counted from the bouts of the promotions that the statistics source holds; stated by the file of 2023-11-16.
    let famous = [
        ("Jon Jones", [22, 1, 0, 1], [27, 1, 0, 1], [28, 1, 0, 1]),
        ("Khabib Nurmagomedov", [13, 0, 0, 0], [29, 0, 0, 0], [29, 0, 0, 0]),
        ("Conor McGregor", [10, 4, 0, 0], [22, 6, 0, 0], [22, 6, 0, 0]),
        ("Max Holloway", [23, 8, 0, 0], [25, 7, 0, 0], [27, 8, 0, 0]),
        ("Amanda Nunes", [17, 3, 0, 0], [23, 5, 0, 0], [23, 5, 0, 0]),
    ];
    for (name, counted, stated, current) in famous {
        let record = served.record(name, "");
        assert_eq!(counts(&record["record_stated"]), stated, "{name}");
        assert_eq!(record["record_stated"]["date"], "2023-11-16");
        assert_eq!(record["record_counted"]["scope"]["bouts"], "all_held");
        assert_eq!(counts(&record["record_counted"]), counted, "{name}");
        // What the public record said on the captures' last day: the stated one, and bouts since.
        assert_eq!(counts(&record["record"]), current, "{name}");
    }
}

fn a_record_is_as_of_a_day_and_a_bout_or_a_statement_of_it_is_the_future(served: &Served) {
    // Of the six bouts that a source counts beside those held, nothing says when they were.
    let jones = served.id("Jon Jones");
    let record = |as_of: &str| {
        served.get(&format!("/v1/mma/fighters/{jones}/record?as_of={as_of}"))["data"]["record"].take()
    };
    assert_eq!(record("2008-08-08"), Value::Null);
    assert_eq!([&record("2008-08-09")["wins"], &record("2008-08-10")["wins"]], [&json!(6), &json!(7)]);
    let khabib = |as_of: &str| served.record("Khabib Nurmagomedov", &format!("?as_of={as_of}"));
    // He beat McGregor on 2018-10-06.
    let [before, after] = ["2018-10-06", "2018-10-07"].map(khabib);
    assert_eq!(
        (counts(&before["record_counted"]), counts(&after["record_counted"])),
        ([10, 0, 0, 0], [11, 0, 0, 0])
    );
    // 26-0 before McGregor: reckoned from the record of 2023.
    assert_eq!((counts(&before["record"]), counts(&after["record"])), ([26, 0, 0, 0], [27, 0, 0, 0]));
    assert_eq!(after["record_counted"]["streak"], json!({"kind": "win", "length": 11, "is_at_least": false}));
    assert_eq!(after["record_counted"]["last_five"][0]["opponent_name"], "Conor McGregor");
    assert_eq!(
        (&after["record_stated"], &after["career_snapshot"]["career_slpm"]),
        (&Value::Null, &Value::Null)
    );
    let [on, later] = ["2023-11-16", "2023-11-17"].map(khabib);
    assert_eq!((&on["record_stated"], counts(&later["record_stated"])), (&Value::Null, [29, 0, 0, 0]));
    assert_eq!(later["career_snapshot"]["career_date"], "2023-11-16");
    let newest = served.record("Khabib Nurmagomedov", "");
    assert_eq!(newest["career_snapshot"]["career_date"], "2025-07-01");
    assert_eq!(newest["career_snapshot"]["career_slpm"], 4.1);
}

fn a_fighter_shows_the_record_of_today_and_the_counted_one_apart(served: &Served) {
    let fighter =
        served.get(&format!("/v1/mma/fighters/{}?include=stats", served.id("Jon Jones")))["data"].take();
    assert_eq!(
        ["record_w", "record_l", "record_d", "record_nc"].map(|f| fighter[f].as_i64().unwrap()),
        [28, 1, 0, 1]
    );
    assert_eq!(
        ["record_source", "record_date", "record_bouts_since"].map(|field| &fighter[field]),
        [&json!("career"), &json!("2023-11-16"), &json!(1)]
    );
    assert_eq!(
        (&fighter["career_source"], &fighter["career_date"]),
        (&json!("career"), &json!("2025-07-01"))
    );
    assert_eq!(counts(&fighter["record_counted"]), [22, 1, 0, 1]);
    assert!(
        fighter["stats"]["career_snapshot"]["leakage_warning"].as_str().unwrap().contains("display only")
    );
}

fn names_that_several_bear_are_nobodys_record_and_are_listed_as_doubtful(served: &Served) {
    let both = served.get("/v1/mma/fighters?q=bruno%20silva");
    for fighter in both["data"].as_array().unwrap().iter().filter(|f| f["name"] == "Bruno Silva") {
        assert_eq!((&fighter["record_w"], &fighter["career_slpm"]), (&Value::Null, &Value::Null));
    }
    let doubtful = served.bench.ok(&["identities", "--doubtful"]);
    assert!(doubtful.contains("# fighter Bruno Silva of career: Bruno Silva?"), "{doubtful}");
    let fighters = served.get("/v1/mma/fighters?limit=1")["meta"]["total"].as_u64().unwrap();
    let tables = served.get("/v1/mma/counts")["data"]["tables"]["stated_careers"].as_u64().unwrap();
    // Two captures: nearly everybody of the newer one and of the older one is found.
    assert!(tables > 6500 && fighters > 4000, "{tables} of {fighters}");
}

/// Public record, a day each: who won the title last, and whom the rankings list.
fn champions_are_those_of_the_record(served: &Served) {
    let title = |as_of: &str, class: &str, kind: &str| -> Value {
        let titles = served.get(&format!("/v1/mma/champions?as_of={as_of}&weight_class={class}"));
        let titles = titles["data"].as_array().unwrap();
        titles.iter().find(|title| title["title_kind"] == kind).cloned().unwrap_or_default()
    };
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let told = |as_of: &str, class: &str, kind: &str| -> [String; 3] {
        let title = title(as_of, class, kind);
        let listed = &title["ranked"];
        let listed =
            if listed["is_vacant"] == true { "vacant".into() } else { text(&listed["fighter"]["name"]) };
        [text(&title["title_won"]["fighter"]["name"]), listed, title["sources_agree"].to_string()]
    };
    for (as_of, class, kind, won, listed, agree) in [
        ("2018-10-06", "LIGHTWEIGHT", "undisputed", "Khabib Nurmagomedov", "Khabib Nurmagomedov", "true"),
        (
            "2018-10-06",
            "WOMENS_FEATHERWEIGHT",
            "undisputed",
            "Cristiane Justino",
            "Cristiane Justino",
            "true",
        ),
        // He gave the title up.
        ("2018-10-06", "MIDDLEWEIGHT", "undisputed", "Georges St-Pierre", "Robert Whittaker", "false"),
        ("2018-10-06", "WOMENS_FLYWEIGHT", "undisputed", "Nicco Montano", "vacant", "false"),
        ("2024-01-01", "HEAVYWEIGHT", "undisputed", "Jon Jones", "Jon Jones", "true"),
        ("2024-01-01", "HEAVYWEIGHT", "interim", "Tom Aspinall", "-", "null"),
        ("2012-01-01", "MIDDLEWEIGHT", "undisputed", "Anderson Silva", "-", "null"),
        // The bout of that day is the future.
        ("2024-11-16", "HEAVYWEIGHT", "undisputed", "Jon Jones", "Jon Jones", "true"),
    ] {
        assert_eq!(told(as_of, class, kind), [won, listed, agree], "{class} {kind} before {as_of}");
    }
    let verdict = |as_of: &str, class: &str, kind: &str| -> [String; 5] {
        let champion = title(as_of, class, kind)["champion"].take();
        let [status, since, by] = ["status", "since", "by"].map(|field| text(&champion[field]));
        [status, text(&champion["fighter"]["name"]), since, by, champion["is_certain"].to_string()]
    };
    for (as_of, class, kind, told) in [
        (
            "2018-10-06",
            "LIGHTWEIGHT",
            "undisputed",
            ["held", "Khabib Nurmagomedov", "2018-04-07", "title_bout", "true"],
        ),
        // The winner of the interim title followed him who gave it up, some days after 2017-12-07.
        (
            "2018-10-06",
            "MIDDLEWEIGHT",
            "undisputed",
            ["held", "Robert Whittaker", "2017-12-13", "ranking", "true"],
        ),
        ("2018-10-06", "WOMENS_FLYWEIGHT", "undisputed", ["vacant", "-", "-", "-", "true"]),
        (
            "2024-01-01",
            "HEAVYWEIGHT",
            "undisputed",
            ["held", "Jon Jones", "2023-03-04", "title_bout", "true"],
        ),
        (
            "2024-01-01",
            "HEAVYWEIGHT",
            "interim",
            ["held", "Tom Aspinall", "2023-11-11", "title_bout", "true"],
        ),
        (
            "2012-01-01",
            "MIDDLEWEIGHT",
            "undisputed",
            ["held", "Anderson Silva", "2006-10-14", "title_bout", "false"],
        ),
        ("2026-03-18", "WOMENS_FEATHERWEIGHT", "undisputed", ["closed", "-", "-", "-", "true"]),
        (
            "2025-08-01",
            "HEAVYWEIGHT",
            "undisputed",
            ["held", "Tom Aspinall", "2025-06-24", "ranking", "true"],
        ),
    ] {
        assert_eq!(verdict(as_of, class, kind), told, "{class} {kind} before {as_of}");
    }
    let silva = served.get("/v1/mma/champions?as_of=2012-01-01&weight_class=MIDDLEWEIGHT");
    let won = &silva["data"][0]["title_won"];
    assert_eq!((&won["won_in_a_row"], &won["first_won_on"]), (&json!(10), &json!("2006-10-14")));
    // From whom the belt went, and nobody where it was vacant: Jones gave up that of the light heavyweights.
    let last_change = |as_of: &str, class: &str| {
        let titles = served.get(&format!("/v1/mma/champions?as_of={as_of}&weight_class={class}"));
        let change = &titles["data"][0]["last_change"];
        [&change["date"], &change["to"]["name"], &change["from"]["name"]]
            .map(|value| value.as_str().unwrap_or("nobody").to_owned())
    };
    assert_eq!(last_change("2012-01-01", "MIDDLEWEIGHT"), ["2006-10-14", "Anderson Silva", "Rich Franklin"]);
    assert_eq!(last_change("2020-10-01", "LIGHT_HEAVYWEIGHT"), ["2020-09-27", "Jan Blachowicz", "nobody"]);
}

/// By surname, beginning, nickname and initials; of several the most famous.
fn who_is_meant_is_found_first(served: &Served) {
    let meant = [
        ("jones", "Jon Jones"),
        ("topuria", "Ilia Topuria"),
        ("gsp", "Georges St-Pierre"),
        ("silva", "Anderson Silva"),
        ("mcgregor", "Conor McGregor"),
        ("conor", "Conor McGregor"),
        ("nurmagomedov", "Khabib Nurmagomedov"),
        ("holloway", "Max Holloway"),
        ("blessed", "Max Holloway"),
        ("bones", "Jon Jones"),
        ("the%20spider", "Anderson Silva"),
        ("nunes", "Amanda Nunes"),
        ("dc", "Daniel Cormier"),
        ("aldo", "Jose Aldo"),
        ("poirier", "Dustin Poirier"),
        ("cowboy", "Donald Cerrone"),
        ("volkanovsk", "Alexander Volkanovski"),
        ("stylebender", "Israel Adesanya"),
        ("pereira", "Alex Pereira"),
        ("poatan", "Alex Pereira"),
        ("usman", "Kamaru Usman"),
        ("islam", "Islam Makhachev"),
        ("shevchenko", "Valentina Shevchenko"),
        ("bullet", "Valentina Shevchenko"),
        ("ngannou", "Francis Ngannou"),
        ("stipe", "Stipe Miocic"),
        ("couture", "Randy Couture"),
        ("iceman", "Chuck Liddell"),
        ("hughes", "Matt Hughes"),
        ("bj%20penn", "BJ Penn"),
        ("weili", "Zhang Weili"),
        ("thug%20rose", "Rose Namajunas"),
        ("romero", "Yoel Romero"),
        ("o%27malley", "Sean O'Malley"),
        ("merab", "Merab Dvalishvili"),
        ("figueiredo", "Deiveson Figueiredo"),
        ("moreno", "Brandon Moreno"),
        ("mighty%20mouse", "Demetrious Johnson"),
        ("cruz", "Dominick Cruz"),
        ("dillashaw", "TJ Dillashaw"),
    ];
    for (asked, name) in meant {
        let fighters = served.get(&format!("/v1/mma/fighters?q={asked}&limit=1"));
        assert_eq!(fighters["data"][0]["name"], name, "fighters?q={asked}");
        let found = served.get(&format!("/v1/mma/search?q={asked}&limit=1"));
        assert_eq!(
            (&found["data"][0]["kind"], &found["data"][0]["record"]["name"]),
            (&json!("fighter"), &json!(name)),
            "search?q={asked}"
        );
    }
    // Misspelt.
    for (asked, name) in [("mcgreggor", "Conor McGregor"), ("nurmagomedow", "Khabib Nurmagomedov")] {
        assert_eq!(
            served.get(&format!("/v1/mma/search?q={asked}&limit=1"))["data"][0]["record"]["name"],
            name
        );
    }
}

fn metric(dna: &Value, name: &str) -> Value {
    dna["metrics"].as_array().unwrap().iter().find(|m| m["metric"] == name).unwrap().clone()
}

fn metrics_of_time_go_on_after_the_latest_bout(served: &Served) {
    let of = |dna: &Value, names: [&str; 2]| names.map(|name| metric(dna, name)["value"].clone());
    let mcgregor = served.metrics("Conor McGregor", "2018-10-05");
    assert_eq!(of(&mcgregor, ["layoff_days", "previous_layoff_days"]), [json!(692.0), json!(84.0)]);
    assert_eq!(of(&mcgregor, ["bouts_last_36m", "rating_change_365d"]), [json!(4.0), json!(0.0)]);
    for (name, days) in [("Georges St-Pierre", 2920.0), ("Khabib Nurmagomedov", 1835.0)] {
        let dna = served.metrics(name, "2025-11-02");
        assert_eq!(of(&dna, ["bouts_last_36m", "rating_change_365d"]), [json!(0.0), json!(0.0)], "{name}");
        assert_eq!(metric(&dna, "layoff_days")["value"], days, "{name}");
    }
}

fn a_panel_says_the_same_of_the_day(served: &Served) {
    served.bench.ok(&["backfill", "--as-of", "2018-10-05"]);
    let (lake, day) = (served.bench.lake(), "2018-10-05".parse().unwrap());
    let panel = lake.find_panel(PanelSet::Metrics, day).unwrap().unwrap();
    let [wide, long] =
        ["panel_wide", "panel_long"].map(|table| lake.read_panel_table(&panel, table).unwrap());
    let (wide, long) = (TableReader::new("panel_wide", &wide), TableReader::new("panel_long", &long));
    let ids: Vec<String> = wide.ids("fighter_id").unwrap().iter().map(ToString::to_string).collect();
    let (whose, names) = (long.ids("fighter_id").unwrap(), long.strings("metric").unwrap());
    let values = long.floats("value").unwrap();
    for who in ["Conor McGregor", "Khabib Nurmagomedov", "Jon Jones"] {
        let (id, dna) = (served.id(who), served.metrics(who, "2018-10-05"));
        let row = ids.iter().position(|other| *other == id).unwrap();
        for name in
            ["layoff_days", "bouts_last_36m", "rating_change_365d", "house_rating", "previous_layoff_days"]
        {
            let asked = metric(&dna, name)["value"].as_f64();
            assert_eq!(wide.floats(&format!("{name}__value")).unwrap()[row], asked, "{who} {name}");
            let at =
                (0..long.rows()).find(|&i| whose[i].to_string() == id && names[i] == Some(name)).unwrap();
            assert_eq!(values[at], asked, "{who} {name}");
        }
    }
}

fn what_is_not_recorded_for_a_year_lowers_the_confidence_and_says_when_it_was(served: &Served) {
    let merab = served.metrics("Merab Dvalishvili", "2025-11-02");
    let (control, strikes) = (metric(&merab, "control_share"), metric(&merab, "sig_landed_per_min"));
    assert_eq!(control["provenance"]["last_bout_date"], "2024-09-14");
    assert_eq!(strikes["provenance"]["last_bout_date"], "2025-10-04");
    assert_eq!((&control["confidence"], &strikes["confidence"]), (&json!("medium"), &json!("high")));
    assert!(control["confidence_reasons"].as_array().unwrap().contains(&json!("not_recorded_for_a_year")));
    assert_eq!(control["sample"]["denominator_unit"], "seconds");
    for metric in merab["metrics"].as_array().unwrap() {
        let is_fact = metric["shrinkage"].is_null();
        assert!(!is_fact || metric["confidence"] != "high", "{metric}");
        assert_eq!(metric["percentile"].is_null(), !metric["percentile_reason"].is_null(), "{metric}");
    }
    let share = metric(&merab, "southpaw_exposure_share");
    assert_eq!((&share["value"], &share["interval"]), (&share["raw_value"], &Value::Null));
}

fn two_who_can_never_meet_have_no_expectation(served: &Served) {
    let apart = served.matchup("Jon Jones", "Amanda Nunes", "2022-01-01");
    for pairing in apart["pairings"].as_array().unwrap() {
        assert_eq!(
            (&pairing["expected"], &pairing["reason"]),
            (&Value::Null, &json!("different_populations"))
        );
    }
    let together = served.matchup("Khabib Nurmagomedov", "Conor McGregor", "2018-10-05");
    let texts: Vec<&str> =
        together["insights"].as_array().unwrap().iter().map(|i| i["text"].as_str().unwrap()).collect();
    let takedowns = texts.iter().find(|text| text.contains("lands") && text.contains("takedowns")).unwrap();
    assert!(
        takedowns.starts_with("Khabib Nurmagomedov lands 4.2 takedowns per 15 min to Conor McGregor's "),
        "{takedowns}"
    );
    assert!(takedowns.contains(" past bouts)"), "{takedowns}");
}

fn leaderboards_are_of_who_is_active_on_the_day_unless_all_are_asked_for(served: &Served) {
    let path = "/v1/mma/dna/query?metric=sig_absorbed_per_min&as_of=2025-11-02&limit=250";
    let (active, all) = (served.get(path), served.get(&format!("{path}&active=all")));
    let population = |answer: &Value| answer["meta"]["population"].as_u64().unwrap();
    assert!(population(&active) * 2 < population(&all));
    let women = served.get(&format!("{path}&sex=women"));
    let is_womens = |item: &Value| item["weight_class"].as_str().unwrap().starts_with("WOMENS_");
    assert!(women["data"].as_array().unwrap().iter().all(is_womens) && population(&women) > 50);
    let raw = served.get(&format!("{path}&sort=raw"));
    let values: Vec<f64> = raw["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["metric"]["raw_value"].as_f64().unwrap())
        .collect();
    assert!(values.is_sorted() && !values.is_empty());
}
