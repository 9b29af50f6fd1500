//! `/data`: snapshots, what is covered, what can be taken away.

use std::collections::BTreeSet;

use fdna_picture::{Caption, HeatCell, heat_map};

use crate::ask::{Api, Ask, Refusal};
use crate::model::{Counts, Coverage, Manifest, PromotionCoverage, Snapshot, SourceCoverage, YearCoverage};
use crate::page::{Cell, Field, Figure, Form, Page, Section, Table};
use crate::shown::minute;

pub(crate) async fn page(api: &Api, ask: &Ask) -> Result<Page, Refusal> {
    let snapshots: Vec<Snapshot> = api.data("/v1/mma/snapshots?limit=20").await?;
    let coverage: Coverage = api.data("/v1/mma/coverage").await?;
    let counts: Counts = api.data("/v1/mma/counts").await?;
    let mut sections = vec![
        listed(&snapshots),
        years(&coverage.years),
        promotions(&coverage.promotions),
        sources(&coverage.sources),
    ];
    if let Some(current) = api.0.snapshot() {
        let manifest: Manifest = api.data(&format!("/v1/mma/snapshots/{}", current.id)).await?;
        if let Some(before) = ask.get("before") {
            let before: Manifest = api.data(&format!("/v1/mma/snapshots/{before}")).await?;
            sections.insert(1, differences(&before, &manifest));
        }
        sections.push(tables(&manifest));
    }
    let quarantine = counts
        .tables
        .get("quarantine")
        .map_or_else(|| Cell::missing("no such table"), |rows| Cell::count(*rows));
    Ok(Page {
        title: "Data".to_owned(),
        place: "/data",
        lead: vec!["What is served, what of it is known, and its files with their digests.".to_owned()],
        facts: vec![
            ("Rows set aside, in the table quarantine".to_owned(), quarantine),
            ("Captures tell until".to_owned(), Cell::of(counts.known_until)),
        ],
        forms: vec![compared(&snapshots, ask)],
        sections,
        ..Page::default()
    })
}

/// Which snapshot the current one is compared with.
fn compared(snapshots: &[Snapshot], ask: &Ask) -> Form {
    let others = snapshots.iter().filter(|snapshot| !snapshot.is_current);
    let told = |snapshot: &Snapshot| {
        let until = snapshot.captured_until.as_deref().map_or_else(|| "not known".to_owned(), minute);
        (snapshot.id.clone(), format!("{}, captures until {until}", snapshot.id))
    };
    let none = (String::new(), "none".to_owned());
    Form {
        action: "/data".to_owned(),
        submit: "Compare",
        fields: vec![Field::select(
            "before",
            "Compare with the snapshot",
            ask.or("before", ""),
            std::iter::once(none).chain(others.map(told)).collect(),
        )],
        ..Form::default()
    }
}

/// Tables of which one snapshot has other rows than another.
fn differences(before: &Manifest, now: &Manifest) -> Section {
    let of = |manifest: &Manifest, name: &str| {
        let table = manifest.tables.iter().find(|table| table.name == name);
        table.map(|table| (table.rows, table.sha256.clone()))
    };
    let names: BTreeSet<&str> =
        before.tables.iter().chain(&now.tables).map(|table| table.name.as_str()).collect();
    let rows: Vec<Vec<Cell>> = names
        .iter()
        .filter_map(|name| {
            let (before, now) = (of(before, name), of(now, name));
            let count = |of: &Option<(i64, String)>| {
                of.as_ref().map_or_else(|| Cell::missing("no such table"), |(rows, _)| Cell::count(*rows))
            };
            let more = before.as_ref().zip(now.as_ref()).map(|((before, _), (now, _))| now - before);
            let more = more.map_or_else(|| Cell::missing("none"), |more| Cell::text(format!("{more:+}")));
            (before != now).then(|| vec![Cell::text(*name), count(&before), count(&now), more])
        })
        .collect();
    let same = names.len() - rows.len();
    let head = ["Table", "#Rows before", "#Rows now", "#More"];
    Section::new("differences", "What differs")
        .wide()
        .line(format!(
            "{same} tables have the same bytes. What captures changed in them is on the front page."
        ))
        .table(Table::new("Tables with other rows or values", &head, rows))
}

fn listed(snapshots: &[Snapshot]) -> Section {
    let row = |snapshot: &Snapshot| {
        vec![
            Cell::text(&snapshot.id),
            Cell::text(if snapshot.is_current { "current" } else { "kept" }),
            Cell::of(snapshot.facts_until.as_deref()),
            snapshot
                .captured_until
                .as_deref()
                .map_or_else(|| Cell::missing("not known"), |at| Cell::text(minute(at))),
            Cell::text(if snapshot.synthetic { "made up" } else { "captured" }),
        ]
    };
    let head = ["Snapshot", "State", "Facts until", "Captures until", "Origin"];
    Section::new("snapshots", "Snapshots").wide().table(Table::new(
        "Snapshots, newest first",
        &head,
        snapshots.iter().map(row).collect(),
    ))
}

fn years(years: &[YearCoverage]) -> Section {
    let row = |year: &YearCoverage| {
        let parts = [
            (year.with_result, year.bouts),
            (year.with_round_stats, year.bouts),
            (year.with_control_time, year.bouts),
            (year.with_scorecards, year.decisions),
        ];
        let cells = parts.map(|(known, of)| {
            share(known, of).map(|shade| HeatCell { shade, text: format!("{known}/{of}") })
        });
        (year.year.to_string(), cells.to_vec())
    };
    let columns = ["Results", "Rounds", "Control", "Cards"].map(str::to_owned);
    let rows: Vec<_> = years.iter().rev().map(row).collect();
    let caption = Caption {
        id: "years",
        title: "What is known of each year",
        description: "Bouts of a year with result, round statistics and control time, decisions with scorecards; the numbers are in the table below.",
    };
    let svg = heat_map(caption, &columns, &rows);
    let table = years.iter().rev().map(|year| {
        [
            year.year,
            year.bouts,
            year.with_result,
            year.with_round_stats,
            year.with_control_time,
            year.decisions,
            year.with_scorecards,
        ]
        .map(Cell::count)
        .to_vec()
    });
    let head = [
        "#Year",
        "#Bouts",
        "#With result",
        "#With rounds",
        "#With control time",
        "#Decisions",
        "#With cards",
    ];
    Section::new("coverage", "What is known, year by year").wide()
        .figure(Figure::new(svg, "Darker is a larger share of the year's bouts; of decisions for cards. Hatched: none to be known."))
        .table(Table::new("Bouts of a year", &head, table.collect()))
}

/// Bouts of a promotion in a year, and of how many the rounds are known.
fn promotions(known: &[PromotionCoverage]) -> Section {
    let name = |of: &PromotionCoverage| of.promotion.clone().unwrap_or_else(|| "not known".to_owned());
    let names: BTreeSet<String> = known.iter().map(name).collect();
    let years: BTreeSet<i64> = known.iter().map(|of| of.year).collect();
    let find = |year: i64, promotion: &str| known.iter().find(|of| of.year == year && name(of) == promotion);
    let rows: Vec<(String, Vec<Option<HeatCell>>)> = years
        .iter()
        .rev()
        .map(|year| {
            let cells = names.iter().map(|promotion| {
                let of = find(*year, promotion)?;
                let text = format!("{}/{}", of.with_round_stats, of.bouts);
                Some(HeatCell { shade: share(of.with_round_stats, of.bouts)?, text })
            });
            (year.to_string(), cells.collect())
        })
        .collect();
    let columns: Vec<String> = names.iter().map(|name| name.to_uppercase()).collect();
    let caption = Caption {
        id: "promotions",
        title: "Bouts with rounds, by promotion and year",
        description: "Bouts of a promotion in a year of which rounds are known; the numbers are in the table below.",
    };
    let svg = heat_map(caption, &columns, &rows);
    let table = known.iter().rev().map(|of| {
        vec![
            Cell::count(of.year),
            Cell::text(name(of).to_uppercase()),
            Cell::count(of.bouts),
            Cell::count(of.with_round_stats),
        ]
    });
    let head = ["#Year", "Promotion", "#Bouts", "#With rounds"];
    Section::new("by-promotion", "What is known, by promotion and year")
        .wide()
        .figure(Figure::new(
            svg,
            "Darker is a larger share with round statistics. Hatched: no bout is known.",
        ))
        .table(Table::new("Bouts of a promotion in a year", &head, table.collect()))
}

/// A share of what there is; none of nothing.
fn share(known: i64, of: i64) -> Option<f64> {
    let number = |count: i64| i32::try_from(count).map_or(0.0, f64::from);
    (of > 0).then(|| number(known) / number(of))
}

fn sources(sources: &[SourceCoverage]) -> Section {
    let count = |count: Option<i64>| count.map_or_else(|| Cell::missing("not known"), Cell::count);
    let row = |source: &SourceCoverage| {
        vec![
            Cell::text(&source.source),
            Cell::text(&source.group),
            count(source.captures),
            source
                .last_captured_at
                .as_deref()
                .map_or_else(|| Cell::missing("never"), |at| Cell::text(minute(at))),
            count(source.rows),
            count(source.set_aside),
        ]
    };
    let head = ["Source", "Tells of", "#Captures", "Newest", "#Rows of the newest", "#Set aside"];
    Section::new("sources", "Sources").table(Table::new(
        "What each source has given",
        &head,
        sources.iter().map(row).collect(),
    ))
}

fn tables(manifest: &Manifest) -> Section {
    let rows = manifest.tables.iter().map(|table| {
        vec![
            Cell::link(&table.name, format!("/data/{}.parquet", table.name)),
            Cell::count(table.rows),
            Cell::count(table.bytes),
            Cell::text(&table.sha256),
        ]
    });
    Section::new("tables", "Tables of this snapshot")
        .wide()
        .line("Parquet files, to be taken away; the digest says whether a copy is whole.")
        .table(Table::new(
            "Files with their digests",
            &["Table", "#Rows", "#Bytes", "SHA-256"],
            rows.collect(),
        ))
}
