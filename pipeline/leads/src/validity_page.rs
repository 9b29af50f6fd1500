//! The page of what values are worth: tables of ratio studies, and whether dear and cheap dwellings are valued alike.

use std::fmt::Write as _;

use fdna_picture::{Caption, Leader, Tick, caterpillar};
use serde_json::Value;

use crate::openapi::escape_html;
use crate::properties::{ServedProperties, ServedValidity};

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}\
    table{border-collapse:collapse;display:block;overflow-x:auto}th,td{padding:.2rem .6rem;text-align:right;border-bottom:1px solid #8886;white-space:nowrap}\
    th:first-child,td:first-child{text-align:left}svg{max-width:40rem;width:100%;height:auto;font-family:inherit}\
    svg text{fill:currentColor}.grid{stroke:#8886}.whisker{stroke:#3b75af;stroke-width:2}.value{fill:#3b75af;stroke:#3b75af}";

/// Columns of the table of slices, with their names and digits.
const COLUMNS: [(&str, &str, usize); 10] = [
    ("valued", "sales", 0),
    ("median_error", "median error", 3),
    ("within_10", "within 10 %", 3),
    ("stated_within_10", "said before", 3),
    ("interval_coverage", "intervals held", 3),
    ("median_ratio", "median ratio", 3),
    ("cod", "COD", 1),
    ("prd", "PRD", 3),
    ("prb", "PRB", 3),
    ("mki", "MKI", 3),
];

/// Median ratios between which a picture is drawn; the standard wants .9 to 1.1.
const DOMAIN: (f64, f64) = (0.8, 1.2);

/// The page of a snapshot. It loads nothing.
pub(crate) fn render_validity(served: &ServedProperties) -> String {
    let mut page = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>What values are worth</title><style>{STYLE}</style><h1>What values are worth</h1>\
         <p>Each quarter's sales valued by the sales before it. Errors are shares of the price. COD, PRD, PRB and MKI as the IAAO \
         defines them; its bounds for one-family houses are 5 to 15, .98 to 1.03, -.05 to .05 and .95 to 1.05. \
         Intervals are of 95 %. Valuation {}, snapshot {}.</p>",
        escape_html(&served.book.constants.version),
        escape_html(&served.snapshot_id),
    );
    for (name, rules) in &served.book.constants.markets {
        let rows: Vec<&ServedValidity> =
            served.validity.iter().filter(|row| text(row, "market") == name).collect();
        if rows.is_empty() {
            continue;
        }
        let _ = write!(page, "<h2>{}</h2>", escape_html(&rules.name));
        write_slices(&mut page, &rows);
        write_tenths(&mut page, name, &rows);
    }
    page + "</html>"
}

fn text<'r>(row: &'r ServedValidity, column: &str) -> &'r str {
    row.get(column).and_then(Value::as_str).unwrap_or_default()
}

fn number(row: &ServedValidity, column: &str) -> Option<f64> {
    row.get(column).and_then(Value::as_f64)
}

fn write_slices(page: &mut String, rows: &[&ServedValidity]) {
    page.push_str("<table><thead><tr><th>slice");
    COLUMNS.iter().for_each(|(_, name, _)| {
        let _ = write!(page, "<th>{name}");
    });
    page.push_str("<tbody>");
    for row in rows.iter().filter(|row| ["all", "type", "quarter"].contains(&text(row, "dimension"))) {
        let _ = write!(page, "<tr><td>{}", escape_html(text(row, "slice")));
        for (column, _, digits) in COLUMNS {
            let shown =
                number(row, column).map_or_else(|| "–".to_owned(), |value| format!("{value:.digits$}"));
            let _ = write!(page, "<td>{shown}");
        }
    }
    page.push_str("</table>");
}

fn write_tenths(page: &mut String, market: &str, rows: &[&ServedValidity]) {
    let tenth = |row: &&ServedValidity| Leader {
        label: text(row, "slice").replace("price_tenth ", "price tenth "),
        text: number(row, "median_ratio").map_or_else(|| "–".to_owned(), |value| format!("{value:.3}")),
        value: number(row, "median_ratio"),
        interval: number(row, "median_ratio_low").zip(number(row, "median_ratio_high")),
        raw: None,
    };
    let tenths: Vec<Leader> =
        rows.iter().filter(|row| text(row, "dimension") == "price_tenth").map(tenth).collect();
    if tenths.is_empty() {
        return;
    }
    let title = "Median ratio of value to price, by tenth of the prices";
    let caption = Caption {
        id: &format!("equity-{market}"),
        title,
        description: "One row a tenth, the cheapest first: the dot is the median ratio, the line its 95 % interval. At 1 values are prices.",
    };
    let lines = [0.9, 1.0, 1.1].map(|at| Tick { at, text: format!("{at:.1}") });
    let _ = write!(
        page,
        "<figure>{}<figcaption>{title}</figcaption></figure>",
        caterpillar(caption, &tenths, DOMAIN, &lines)
    );
}
