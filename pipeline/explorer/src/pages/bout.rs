//! `/bouts/{id}`: round by round, the judges, the fight week.

mod week;

use fdna_picture::{Caption, Dumbbell, HeatCell, dumbbells, heat_map};

use crate::ask::{Api, Ask, Refusal};
use crate::model::{BoutDetail, BoutResult, BoutStats, Change, RoundStat, Scorecard};
use crate::page::{Cell, Figure, Link, Page, Section, Table};
use crate::pages::event::winner;
use crate::shown::{CHANGE_HEAD, class, ending, words};

/// Counts of a round, and whether they are drawn.
const COUNTS: [(&str, &str); 6] = [
    ("sig_landed", "Sig. strikes landed"),
    ("sig_attempted", "Sig. strikes attempted"),
    ("td_landed", "Takedowns landed"),
    ("td_attempted", "Takedowns attempted"),
    ("knockdowns", "Knockdowns"),
    ("control_secs", "Control, seconds"),
];

pub(crate) async fn page(api: &Api, ask: &Ask) -> Result<Page, Refusal> {
    let id = ask.id();
    let bout: BoutDetail = api.data(&format!("/v1/mma/bouts/{id}")).await?;
    let stats: BoutStats = api.data(&format!("/v1/mma/bouts/{id}/stats")).await?;
    let card = &bout.card;
    let mut sections = rounds(&bout, &stats.round_stats);
    if let Some(result) = &card.result {
        sections.push(judges(&bout, result));
    }
    sections.push(week::section(api, id).await?);
    sections.push(corrections(api, id).await?);
    let (a, b) = (&card.fighter_a, &card.fighter_b);
    Ok(Page {
        title: format!("{} and {}", a.name, b.name),
        place: "/events",
        links: vec![
            Link::new(&a.name, a.href()),
            Link::new(&b.name, b.href()),
            Link::new(
                "Compared before the bout",
                format!("/matchups/{}/{}?as_of={}", a.id, b.id, bout.event.event_date),
            ),
        ],
        facts: facts(&bout),
        sections,
        ..Page::default()
    })
}

/// What later captures said otherwise of the bout, its result, statistics and cards.
async fn corrections(api: &Api, id: &str) -> Result<Section, Refusal> {
    let section = Section::new("corrections", "Corrections").wide();
    let changes: Vec<Change> = api.data(&format!("/v1/mma/changes?ids={id}&limit=100")).await?;
    let rows: Vec<Vec<Cell>> =
        changes.iter().filter(|change| change.field.is_some()).map(Change::cells).collect();
    Ok(match rows.is_empty() {
        true => section.line("No capture said otherwise than one before it."),
        false => {
            section.table(Table::new("Values that a later capture states otherwise", &CHANGE_HEAD, rows))
        }
    })
}

fn facts(bout: &BoutDetail) -> Vec<(String, Cell)> {
    let card = &bout.card;
    let result = card.result.as_ref();
    let mut facts = vec![
        ("Event".to_owned(), Cell::link(&bout.event.name, format!("/events/{}", bout.event.id))),
        ("Date".to_owned(), Cell::text(&bout.event.event_date)),
        ("Class".to_owned(), Cell::of(card.bout.weight_class.as_deref().map(class))),
        (
            "Scheduled rounds".to_owned(),
            card.bout.scheduled_rounds.map_or_else(|| Cell::missing("not stated"), Cell::count),
        ),
        (
            "State".to_owned(),
            card.bout
                .status
                .as_deref()
                .map_or_else(|| Cell::missing("not told"), |status| Cell::text(words(status))),
        ),
        (
            "Winner".to_owned(),
            result.map_or_else(|| Cell::missing("no result"), |_| Cell::text(winner(card))),
        ),
        (
            "How".to_owned(),
            result.map_or_else(|| Cell::missing("no result"), |result| Cell::text(ending(result))),
        ),
        ("Referee".to_owned(), Cell::of(result.and_then(|result| result.referee.as_deref()))),
    ];
    let points = bout.deductions.as_ref().map_or_else(
        || Cell::missing("no source of the judging speaks of the bout"),
        |all| Cell::count(i64::try_from(all.len()).unwrap_or_default()),
    );
    facts.push(("Deductions".to_owned(), points));
    facts
}

fn rounds(bout: &BoutDetail, stats: &[RoundStat]) -> Vec<Section> {
    let (a, b) = (&bout.card.fighter_a, &bout.card.fighter_b);
    let mut numbers: Vec<i64> = stats.iter().map(|stat| stat.round).collect();
    numbers.sort_unstable();
    numbers.dedup();
    if numbers.is_empty() {
        return vec![Section::new("rounds", "Rounds").line("No source has round statistics of this bout.")];
    }
    let of = |round: i64, id: &str, name: &str| {
        stats
            .iter()
            .find(|stat| stat.round == round && stat.fighter_id == id)
            .and_then(|stat| stat.count(name))
    };
    let most = |name: &str| stats.iter().filter_map(|stat| stat.count(name)).fold(1.0, f64::max);
    let text =
        |value: Option<f64>| value.map_or_else(|| "not recorded".to_owned(), |value| format!("{value:.0}"));
    let section = |round: i64| {
        let pairs = COUNTS.map(|(name, label)| (name, label, of(round, &a.id, name), of(round, &b.id, name)));
        let rows: Vec<Dumbbell> = pairs
            .iter()
            .map(|(name, label, first, second)| Dumbbell {
                label: (*label).to_owned(),
                text: format!("{} | {}", text(*first), text(*second)),
                a: *first,
                b: *second,
                interval_a: None,
                interval_b: None,
                domain: (0.0, most(name)),
            })
            .collect();
        let id = format!("round-{round}");
        let title = format!("Round {round}");
        let caption = Caption {
            id: &id,
            title: &title,
            description: "Counts of both; the scale of a count is the same in all rounds. The numbers are in the table below.",
        };
        let svg = dumbbells(caption, (&a.name, &b.name), &rows);
        let cell = |value: Option<f64>| {
            value.map_or_else(|| Cell::missing("not recorded"), |value| Cell::text(format!("{value:.0}")))
        };
        let table = pairs
            .into_iter()
            .map(|(_, label, first, second)| vec![Cell::text(label), cell(first), cell(second)]);
        let head = ["Count", &format!("#{}", a.name), &format!("#{}", b.name)];
        Section::new(format!("r{round}"), title.clone()).figure(Figure::new(svg, "")).table(Table::new(
            title,
            &head,
            table.collect(),
        ))
    };
    numbers.into_iter().map(section).collect()
}

fn judges(bout: &BoutDetail, result: &BoutResult) -> Section {
    let section = Section::new("judges", "The judges");
    if result.scorecards.is_empty() {
        return section.line("No scorecard is known.");
    }
    let (a, b) = (&bout.card.fighter_a.name, &bout.card.fighter_b.name);
    let name = |card: &Scorecard| card.judge.clone().unwrap_or_else(|| "judge not named".to_owned());
    let pair = |a: Option<i64>, b: Option<i64>| match (a, b) {
        (Some(a), Some(b)) => Some((a, b)),
        _ => None,
    };
    let last = result
        .scorecards
        .iter()
        .flat_map(|card| card.rounds.iter().flatten())
        .map(|round| round.round)
        .max()
        .unwrap_or(0);
    let of = |card: &Scorecard, number: i64| {
        let round = card.rounds.as_ref()?.iter().find(|round| round.round == number)?;
        pair(round.score_a, round.score_b)
    };
    let heat = |(a, b): (i64, i64)| {
        let margin = i32::try_from(a - b).map_or(0.0, f64::from);
        HeatCell { shade: 0.5 + margin / 8.0, text: format!("{a}–{b}") }
    };
    let rows: Vec<(String, Vec<Option<HeatCell>>)> = result
        .scorecards
        .iter()
        .map(|card| {
            let rounds = (1..=last).map(|round| of(card, round).map(heat));
            let total = pair(card.score_a, card.score_b)
                .map(|(a, b)| HeatCell { shade: 0.5, text: format!("{a}–{b}") });
            (name(card), rounds.chain([total]).collect())
        })
        .collect();
    let columns: Vec<String> =
        (1..=last).map(|round| format!("R{round}")).chain(["Total".to_owned()]).collect();
    let title = format!("Cards: {a} first, {b} second");
    let caption = Caption {
        id: "cards",
        title: &title,
        description: "Scores of each judge, round by round; darker is more for the first named. The numbers are in the table below.",
    };
    let svg = heat_map(caption, &columns, &rows);
    let text = |scores: Option<(i64, i64)>| {
        scores.map_or_else(|| Cell::missing("not known"), |(a, b)| Cell::text(format!("{a}–{b}")))
    };
    let table = result.scorecards.iter().map(|card| {
        let rounds = (1..=last).map(|round| text(of(card, round)));
        std::iter::once(Cell::text(name(card)))
            .chain(rounds)
            .chain([text(pair(card.score_a, card.score_b))])
            .collect()
    });
    let head: Vec<String> = std::iter::once("Judge".to_owned())
        .chain(columns.iter().map(|column| format!("#{column}")))
        .collect();
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    section
        .figure(Figure::new(svg, format!("{a} first. Darker is more for {a}; hatched: not known.")))
        .table(Table::new(title, &head, table.collect()))
}
