//! Properties of every picture, read from its text, and a snapshot of each.

use fdna_picture::{
    Caption, Dumbbell, HeatCell, Lane, LaneEvent, Leader, MetricRow, Scale, Shot, SlopeRow, StripMark, Tick,
    TimePoint, ValueMark, arc, caterpillar, curve, dumbbells, fit_text, heat_map, percentile_bars,
    shot_chart, slope, spread_places, strip, swim_lanes, text_width, ticks, time_line,
};
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;

const CAPTION: Caption<'static> = Caption { id: "p", title: "A title", description: "Read <it> & see" };

/// An element of a picture: its name, its attributes and the text in it.
#[derive(Debug)]
struct Element {
    name: String,
    attributes: Vec<(String, String)>,
    text: String,
}

impl Element {
    fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    fn number(&self, name: &str) -> f64 {
        self.get(name).unwrap_or("0").parse().unwrap()
    }

    fn class(&self) -> &str {
        self.get("class").unwrap_or_default()
    }

    /// Corners of the box that it takes.
    fn corners(&self) -> Vec<(f64, f64)> {
        let at = |x: &str, y: &str| (self.number(x), self.number(y));
        match self.name.as_str() {
            "rect" => {
                let ((x, y), (w, h)) = (at("x", "y"), at("width", "height"));
                assert!(w >= 0.0 && h >= 0.0, "{self:?}");
                vec![(x, y), (x + w, y + h)]
            }
            "line" => vec![at("x1", "y1"), at("x2", "y2")],
            "circle" => {
                let ((x, y), r) = (at("cx", "cy"), self.number("r"));
                vec![(x - r, y - r), (x + r, y + r)]
            }
            "polyline" | "polygon" => {
                let points =
                    self.get("points").unwrap_or_default().split(' ').filter(|pair| !pair.is_empty());
                points
                    .map(|pair| pair.split_once(',').unwrap())
                    .map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap()))
                    .collect()
            }
            "text" => {
                let ((x, y), size) = (at("x", "y"), self.number("font-size"));
                let width = text_width(&self.text, size);
                let left = match self.get("text-anchor") {
                    Some("middle") => x - width / 2.0,
                    Some("end") => x - width,
                    _ => x,
                };
                vec![(left, y - size * 0.75), (left + width, y + size * 0.22)]
            }
            _ => Vec::new(),
        }
    }
}

fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

/// Elements in order. Nothing in a picture needs more of a reader than this.
fn elements(svg: &str) -> Vec<Element> {
    let mut found = Vec::new();
    for tag in svg.split('<').skip(1).filter(|tag| !tag.starts_with('/')) {
        let (head, text) = tag.split_once('>').unwrap();
        let head = head.trim_end_matches('/');
        let (name, mut rest) = head.split_once(' ').unwrap_or((head, ""));
        let mut attributes = Vec::new();
        while let Some((key, after)) = rest.split_once("=\"") {
            let (value, next) = after.split_once('"').unwrap();
            attributes.push((key.trim().to_owned(), unescaped(value)));
            rest = next;
        }
        found.push(Element { name: name.to_owned(), attributes, text: unescaped(text) });
    }
    found
}

/// Balanced, named for those who do not see it, within its frame, no text over another. Returns its elements.
fn holds(svg: &str) -> Vec<Element> {
    let found = elements(svg);
    let root = &found[0];
    assert_eq!((root.name.as_str(), root.get("role")), ("svg", Some("img")));
    assert_eq!(root.get("aria-labelledby"), Some("p-t p-d"));
    assert!(
        svg.contains(r#"<title id="p-t">A title</title><desc id="p-d">Read &lt;it&gt; &amp; see</desc>"#)
    );
    for name in ["svg", "g", "text", "defs", "pattern", "title", "desc"] {
        let (opened, closed) =
            (found.iter().filter(|e| e.name == name).count(), svg.matches(&format!("</{name}>")).count());
        assert_eq!(opened, closed, "{name}");
    }
    let frame: Vec<f64> = root.get("viewBox").unwrap().split(' ').map(|n| n.parse().unwrap()).collect();
    // Places are written to a tenth.
    let inside =
        |(x, y): (f64, f64)| x >= -0.11 && x <= frame[2] + 0.11 && y >= -0.11 && y <= frame[3] + 0.11;
    for element in found.iter().filter(|element| element.name != "path") {
        for corner in element.corners() {
            assert!(inside(corner), "{corner:?} of {element:?} is outside of {frame:?}");
        }
    }
    let texts: Vec<(&Element, Vec<(f64, f64)>)> =
        found.iter().filter(|e| e.name == "text").map(|e| (e, e.corners())).collect();
    for (place, (one, a)) in texts.iter().enumerate() {
        for (other, b) in &texts[place + 1..] {
            let apart = a[1].0 <= b[0].0 + 0.2
                || b[1].0 <= a[0].0 + 0.2
                || a[1].1 <= b[0].1 + 0.2
                || b[1].1 <= a[0].1 + 0.2;
            assert!(apart, "`{}` lies over `{}`", one.text, other.text);
        }
    }
    found
}

fn count(found: &[Element], class: &str) -> usize {
    found.iter().filter(|element| element.class() == class).count()
}

fn words() -> impl Strategy<Value = String> {
    prop_oneof!["[A-Za-z .<&\"%]{0,40}", "\\PC{0,20}"]
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![-50.0..150.0f64, Just(0.0), Just(f64::MAX)]
}

fn pair() -> impl Strategy<Value = (f64, f64)> {
    (number(), number())
}

fn tick() -> impl Strategy<Value = Tick> {
    (number(), "[0-9.]{1,7}").prop_map(|(at, text)| Tick { at, text })
}

#[test]
fn a_value_beyond_every_share_is_at_the_end_of_a_scale() {
    let scale = Scale::new((72.4, 72.5), (10.0, 300.0));
    let places = [f64::MAX, -f64::MAX, f64::NAN].map(|value| scale.position(value).to_string());
    assert_eq!(places, ["300", "10", "155"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn a_scale_is_monotone_and_stays_in_its_range(domain in pair(), a in number(), b in number()) {
        let scale = Scale::new(domain, (10.0, 300.0));
        for value in [a, b] {
            prop_assert!((10.0..=300.0).contains(&scale.position(value)));
        }
        if domain.0 < domain.1 && a <= b {
            prop_assert!(scale.position(a) <= scale.position(b));
        }
    }

    #[test]
    fn ticks_rise_within_the_domain_and_are_few(low in -1e6..1e6f64, extent in 1e-3..1e6f64, most in 1u32..9) {
        let found = ticks((low, low + extent), most);
        prop_assert!(found.len() <= most as usize + 1);
        prop_assert!(found.windows(2).all(|pair| pair[0] < pair[1]));
        let slack = extent * 1e-6;
        prop_assert!(found.iter().all(|at| *at >= low - slack && *at <= low + extent + slack));
    }

    #[test]
    fn what_is_spread_is_apart_within_bounds_and_in_order(places in vec(-20.0..120.0f64, 0..12)) {
        let moved = spread_places(&places, 5.0, (0.0, 100.0));
        prop_assert!(moved.iter().all(|at| (-1e-6..=100.0 + 1e-6).contains(at)));
        for (i, a) in places.iter().enumerate() {
            for (j, b) in places.iter().enumerate().filter(|(j, _)| *j != i) {
                prop_assert!((moved[i] - moved[j]).abs() >= 5.0 - 1e-6);
                if a < b { prop_assert!(moved[i] < moved[j]); }
            }
        }
    }

    #[test]
    fn a_text_that_was_fitted_has_room(text in words(), room in 0.0..200.0f64) {
        prop_assert!(text_width(&fit_text(&text, 12.0, room), 12.0) <= room + 1e-9);
    }

    #[test]
    fn bars(rows in vec((words(), words(), of(0.0..=100.0f64), of((number(), of(pair()), of(number()), of(number()), pair())), of(words())), 0..9)) {
        let rows: Vec<MetricRow> = rows.into_iter().map(|(label, text, percentile, value, missing)| MetricRow {
            label, text, percentile, missing,
            value: value.map(|(value, interval, raw, mean, domain)| ValueMark { value, interval, raw, mean, domain }),
        }).collect();
        let found = holds(&percentile_bars(CAPTION, &rows));
        prop_assert_eq!(count(&found, "bar"), rows.iter().filter(|row| row.percentile.is_some()).count());
        prop_assert_eq!(count(&found, "missing"), rows.iter().filter(|row| row.percentile.is_none()).count());
        prop_assert_eq!(count(&found, "value"), rows.iter().filter(|row| row.value.is_some()).count());
        let bars: Vec<f64> = found.iter().filter(|e| e.class() == "bar").map(|e| e.number("width")).collect();
        for (bar, percentile) in bars.iter().zip(rows.iter().filter_map(|row| row.percentile)) {
            prop_assert!((bar - percentile * 4.0).abs() < 0.06);
        }
    }

    #[test]
    fn pairs(rows in vec((words(), words(), of(number()), of(number()), of(pair()), pair()), 0..9), a in words(), b in words()) {
        let rows: Vec<Dumbbell> = rows.into_iter().map(|(label, text, a, b, interval, domain)| Dumbbell {
            label, text, a, b, interval_a: interval, interval_b: interval, domain,
        }).collect();
        let found = holds(&dumbbells(CAPTION, (&a, &b), &rows));
        // One more of each is the legend.
        prop_assert_eq!(count(&found, "side-a"), 1 + rows.iter().filter(|row| row.a.is_some()).count());
        prop_assert_eq!(count(&found, "side-b"), 1 + rows.iter().filter(|row| row.b.is_some()).count());
        prop_assert_eq!(count(&found, "between"), rows.iter().filter(|row| row.a.is_some() && row.b.is_some()).count());
    }

    #[test]
    fn lines(points in vec((0.0..900.0f64, of(number()), of(pair()), of(number()), words()), 0..12), domain in pair(), values in vec(tick(), 0..6), days in vec(tick(), 0..8)) {
        let mut points: Vec<TimePoint> = points.into_iter().map(|(from, value, interval, raw, text)| TimePoint { from, to: from + 60.0, value, interval, raw, text }).collect();
        points.sort_by(|a, b| a.from.total_cmp(&b.from));
        let mut values = values;
        values.sort_by(|a, b| a.at.total_cmp(&b.at));
        let found = holds(&time_line(CAPTION, &points, (domain, &values), ((0.0, 1000.0), &days)));
        prop_assert_eq!(count(&found, "bout"), points.len());
        prop_assert_eq!(count(&found, "value"), points.iter().filter(|point| point.value.is_some()).count());
        prop_assert_eq!(count(&found, "missing"), points.iter().filter(|point| point.value.is_none()).count());
    }

    #[test]
    fn grids(columns in vec(words(), 1..20), rows in vec((words(), vec(of((-1.0..2.0f64, words())), 0..20)), 0..6)) {
        let rows: Vec<(String, Vec<Option<HeatCell>>)> = rows.into_iter().map(|(label, cells)| {
            (label, cells.into_iter().map(|cell| cell.map(|(shade, text)| HeatCell { shade, text })).collect())
        }).collect();
        let found = holds(&heat_map(CAPTION, &columns, &rows));
        let known: usize = rows.iter().map(|(_, cells)| cells.iter().take(columns.len()).flatten().count()).sum();
        prop_assert_eq!(found.iter().filter(|e| e.class().starts_with("heat ")).count(), known);
    }

    #[test]
    fn leaders(rows in vec((words(), words(), of(number()), of(pair()), of(number())), 0..9), domain in pair(), lines in vec(tick(), 0..6)) {
        let rows: Vec<Leader> = rows.into_iter().map(|(label, text, value, interval, raw)| Leader { label, text, value, interval, raw }).collect();
        let found = holds(&caterpillar(CAPTION, &rows, domain, &lines));
        prop_assert_eq!(count(&found, "value"), rows.iter().filter(|row| row.value.is_some()).count());
        prop_assert_eq!(count(&found, "missing"), rows.iter().filter(|row| row.value.is_none()).count());
    }

    #[test]
    fn shots(shots in vec((of(pair()), any::<bool>(), words()), 0..40), ground in (pair(), pair()), a in words(), b in words()) {
        let shots: Vec<Shot> = shots.into_iter().map(|(at, went_in, text)| Shot { at, went_in, text }).collect();
        let found = holds(&shot_chart(CAPTION, (&a, &b), &shots, ground, &[]));
        let drawn = |went_in: bool| 1 + shots.iter().filter(|shot| shot.at.is_some() && shot.went_in == went_in).count();
        // One more of each is the legend.
        prop_assert_eq!((count(&found, "value"), count(&found, "raw-dot")), (drawn(true), drawn(false)));
    }

    #[test]
    fn curves(points in vec((number(), 0.0..1.0f64), 0..40), span in pair(), values in vec(tick(), 0..6), times in vec(tick(), 0..6)) {
        let mut values = values;
        values.sort_by(|a, b| a.at.total_cmp(&b.at));
        let found = holds(&curve(CAPTION, &points, ((0.0, 1.0), &values), (span, &times)));
        prop_assert_eq!((count(&found, "line"), count(&found, "grid")), (1, values.len() + times.len()));
    }

    #[test]
    fn pools(marks in vec((number(), words(), any::<bool>()), 0..30), domain in pair(), lines in vec(tick(), 0..6)) {
        let marks: Vec<StripMark> = marks.into_iter().map(|(value, text, is_named)| StripMark { value, text, is_named }).collect();
        let found = holds(&strip(CAPTION, &marks, domain, &lines));
        prop_assert_eq!(count(&found, "one") + count(&found, "named"), marks.len());
    }

    #[test]
    fn lanes(lanes in vec((words(), vec((number(), words()), 0..6)), 0..6), times in vec(tick(), 0..6)) {
        let lanes: Vec<Lane> = lanes.into_iter().map(|(label, events)| Lane {
            label, events: events.into_iter().map(|(at, text)| LaneEvent { at, text }).collect(),
        }).collect();
        let found = holds(&swim_lanes(CAPTION, &lanes, (0.0, 100.0), &times));
        prop_assert_eq!(count(&found, "value"), lanes.iter().map(|lane| lane.events.len()).sum::<usize>());
    }

    #[test]
    fn slopes(rows in vec((words(), of(0.0..=100.0f64), of(0.0..=100.0f64), "[0-9]{1,3}", "[0-9]{1,3}"), 0..14)) {
        let rows: Vec<SlopeRow> = rows.into_iter().map(|(label, before, after, text_before, text_after)| SlopeRow { label, before, after, text_before, text_after }).collect();
        let found = holds(&slope(CAPTION, ("2015-01-03", "2020-02-08"), &rows));
        prop_assert_eq!(count(&found, "slope"), rows.iter().filter(|row| row.before.is_some() && row.after.is_some()).count());
    }
}

fn pretty(svg: &str) -> String {
    svg.replace("><", ">\n<")
}

#[test]
fn bars_look_as_before() {
    let mark = ValueMark {
        value: 4.1,
        interval: Some((3.5, 4.8)),
        raw: Some(4.33),
        mean: Some(3.1),
        domain: (0.0, 6.0),
    };
    let row = |label: &str, percentile, value, missing: Option<&str>| MetricRow {
        label: label.to_owned(),
        text: "4.10/min · P83 of 41 · 15 bouts".to_owned(),
        percentile,
        value,
        missing: missing.map(str::to_owned),
    };
    let rows = [
        row("Sig. strikes landed", Some(83.0), Some(mark), None),
        row("No pool", None, Some(mark), Some("pool below 30")),
        row("Too little", None, None, Some("insufficient: 12 of 100 attempts")),
    ];
    insta::assert_snapshot!(pretty(&percentile_bars(CAPTION, &rows)));
}

#[test]
fn dumbbells_look_as_before() {
    let row = |a, b| Dumbbell {
        label: "Takedowns".to_owned(),
        text: "2.1 – 1.0".to_owned(),
        a,
        b,
        interval_a: Some((1.0, 3.0)),
        interval_b: None,
        domain: (0.0, 4.0),
    };
    let rows = [row(Some(2.1), Some(1.0)), row(None, Some(1.0)), row(None, None)];
    insta::assert_snapshot!(pretty(&dumbbells(CAPTION, ("Al", "Bo"), &rows)));
}

#[test]
fn a_line_looks_as_before() {
    let point = |from: f64, value: Option<f64>| TimePoint {
        from,
        to: from + 100.0,
        value,
        interval: value.map(|value| (value - 1.0, value + 1.0)),
        raw: Some(3.0),
        text: format!("day {from}"),
    };
    let points = [point(0.0, None), point(100.0, Some(2.0)), point(200.0, Some(3.0))];
    let tick = |at: f64| Tick { at, text: at.to_string() };
    let (values, days) = ([tick(0.0), tick(2.0), tick(4.0)], [tick(0.0), tick(150.0), tick(300.0)]);
    insta::assert_snapshot!(pretty(&time_line(
        CAPTION,
        &points,
        ((0.0, 4.0), &values),
        ((0.0, 300.0), &days)
    )));
}

#[test]
fn a_grid_looks_as_before() {
    let cell = |shade: f64| Some(HeatCell { shade, text: format!("{shade}") });
    let rows = [("Landed".to_owned(), vec![cell(0.0), cell(1.0), None])];
    insta::assert_snapshot!(pretty(&heat_map(CAPTION, &["R1", "R2", "R3"].map(str::to_owned), &rows)));
}

#[test]
fn leaders_look_as_before() {
    let row = |value| Leader {
        label: "Al <Ace>".to_owned(),
        text: "1.0".to_owned(),
        value,
        interval: Some((0.5, 1.5)),
        raw: Some(2.0),
    };
    let lines = [0.0, 1.0, 2.0].map(|at| Tick { at, text: at.to_string() });
    insta::assert_snapshot!(pretty(&caterpillar(CAPTION, &[row(Some(1.0)), row(None)], (0.0, 2.0), &lines)));
}

#[test]
fn a_strip_lanes_and_a_slope_look_as_before() {
    let marks =
        [0.2, 0.5, 0.9].map(|value| StripMark { value, text: format!("{value}"), is_named: value > 0.8 });
    let lines = [0.0, 0.5, 1.0].map(|at| Tick { at, text: at.to_string() });
    insta::assert_snapshot!("strip", pretty(&strip(CAPTION, &marks, (0.0, 1.0), &lines)));
    let lanes = [Lane {
        label: "schedule".to_owned(),
        events: vec![LaneEvent { at: 0.25, text: "announced".to_owned() }],
    }];
    insta::assert_snapshot!("lanes", pretty(&swim_lanes(CAPTION, &lanes, (0.0, 1.0), &lines)));
    let row = |before, after| SlopeRow {
        label: "Pace".to_owned(),
        before,
        after,
        text_before: "20".to_owned(),
        text_after: "80".to_owned(),
    };
    let rows = [row(Some(20.0), Some(80.0)), row(None, Some(80.0)), row(Some(21.0), Some(79.0))];
    insta::assert_snapshot!("slope", pretty(&slope(CAPTION, ("2015", "2020"), &rows)));
}

#[test]
fn a_curve() {
    let values = [Tick { at: 0.0, text: "0 %".to_owned() }, Tick { at: 1.0, text: "100 %".to_owned() }];
    let periods = [Tick { at: 0.0, text: "1".to_owned() }, Tick { at: 720.0, text: "2".to_owned() }];
    let points = [(0.0, 0.5), (700.0, 0.25), (1440.0, 1.0)];
    insta::assert_snapshot!(pretty(&curve(
        CAPTION,
        &points,
        ((0.0, 1.0), &values),
        ((0.0, 1440.0), &periods)
    )));
}

#[test]
fn a_shot_chart() {
    let shot = |at, went_in| Shot { at, went_in, text: "wrist".to_owned() };
    let shots = [shot(Some((-74.0, -17.0)), false), shot(Some((88.0, 2.0)), true), shot(None, true)];
    let ground = ((-100.0, 100.0), (-42.5, 42.5));
    insta::assert_snapshot!(pretty(&shot_chart(
        CAPTION,
        ("goal", "not"),
        &shots,
        ground,
        &[arc((0.0, 0.0), 15.0, (0.0, 180.0))]
    )));
}
