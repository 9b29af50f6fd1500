//! Report of a reconciliation, as text and as JSON.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use chrono::NaiveDate;
use fdna_model::FighterId;
use serde_json::{Value, json};

use super::cause::DifferenceCause;
use super::statistic::{self, CareerValues};

/// One file of published numbers against the facts.
pub(super) struct Reconciliation {
    file: String,
    as_of: NaiveDate,
    in_file: usize,
    /// Their name is borne by several, in the file or in the lake, or by nobody in the lake.
    pub(super) no_unique_name: usize,
    /// The facts have no bout of theirs that counts.
    pub(super) no_eligible_bout: usize,
    compared: usize,
    equal: [usize; 8],
    differences: Vec<CareerDifference>,
}

/// A fighter of whom not all eight are equal.
pub(super) struct CareerDifference {
    pub(super) fighter: FighterId,
    pub(super) name: String,
    pub(super) published: CareerValues,
    pub(super) recomputed: CareerValues,
    pub(super) cause: DifferenceCause,
}

impl Reconciliation {
    pub(super) fn new(file: &Path, as_of: NaiveDate, in_file: usize) -> Self {
        Self {
            file: file.display().to_string(),
            as_of,
            in_file,
            no_unique_name: 0,
            no_eligible_bout: 0,
            compared: 0,
            equal: [0; 8],
            differences: Vec::new(),
        }
    }

    /// Counts one fighter.
    pub(super) fn add_fighter(
        &mut self,
        difference: Option<CareerDifference>,
        published: &CareerValues,
        recomputed: &CareerValues,
    ) {
        self.compared += 1;
        for (equal, (published, recomputed)) in self.equal.iter_mut().zip(published.iter().zip(recomputed)) {
            *equal += usize::from(published == recomputed);
        }
        self.differences.extend(difference);
    }

    fn all_equal(&self) -> usize {
        self.compared - self.differences.len()
    }

    fn count_causes(&self) -> BTreeMap<&'static str, usize> {
        let mut causes = BTreeMap::new();
        self.differences.iter().for_each(|d| *causes.entry(d.cause.name()).or_default() += 1);
        causes
    }

    pub(super) fn to_text(&self) -> String {
        let mut out = format!("{} as of {}\n", self.file, self.as_of);
        let _ = writeln!(
            out,
            "  {} fighters: {} compared, {} without a name of their own in file and lake, {} without a bout that counts",
            self.in_file, self.compared, self.no_unique_name, self.no_eligible_bout
        );
        for (statistic, equal) in statistic::ALL.into_iter().zip(self.equal) {
            let _ =
                writeln!(out, "  {:<10} equal for {}", statistic.name(), format_share(equal, self.compared));
        }
        let _ = writeln!(
            out,
            "  {:<10} equal for {}",
            "all eight",
            format_share(self.all_equal(), self.compared)
        );
        for (cause, count) in self.count_causes() {
            let _ = writeln!(out, "  {count:>4} differ by {cause}");
        }
        self.differences.iter().for_each(|difference| out.push_str(&difference.to_text()));
        out
    }

    pub(super) fn to_json(&self) -> Value {
        let shares: Vec<Value> = statistic::ALL
            .into_iter()
            .zip(self.equal)
            .map(|(s, equal)| json!({ "statistic": s.name(), "equal": equal, "share": ratio_of(equal, self.compared) }))
            .collect();
        let all = self.all_equal();
        json!({
            "file": self.file,
            "as_of": self.as_of.to_string(),
            "fighters_in_file": self.in_file,
            "no_unique_name": self.no_unique_name,
            "no_eligible_bout": self.no_eligible_bout,
            "compared": self.compared,
            "statistics": shares,
            "all_eight": { "equal": all, "share": ratio_of(all, self.compared) },
            "causes": self.count_causes(),
            "differences": self.differences.iter().map(CareerDifference::to_json).collect::<Vec<_>>(),
        })
    }
}

impl CareerDifference {
    /// Statistics that are not equal: name, published, recomputed.
    fn differing_values(&self) -> impl Iterator<Item = (&'static str, String, String)> {
        let values = self.published.into_iter().zip(self.recomputed);
        let differing = statistic::ALL.into_iter().zip(values).filter(|(_, (p, r))| p != r);
        differing.map(|(s, (p, r))| (s.name(), s.format_units(p), s.format_units(r)))
    }

    fn to_text(&self) -> String {
        let pairs: Vec<String> = self
            .differing_values()
            .map(|(name, p, r)| format!("{name} published {p}, recomputed {r}"))
            .collect();
        format!("  {} ({}): {}: {}\n", self.name, self.fighter, pairs.join("; "), self.cause.describe())
    }

    fn to_json(&self) -> Value {
        let pairs = self
            .differing_values()
            .map(|(name, p, r)| json!({ "statistic": name, "published": p, "recomputed": r }));
        json!({
            "fighter_id": self.fighter.to_string(),
            "name": self.name,
            "cause": self.cause.name(),
            "detail": self.cause.describe(),
            "statistics": pairs.collect::<Vec<_>>(),
        })
    }
}

fn ratio_of(part: usize, whole: usize) -> f64 {
    let float = |n: usize| u32::try_from(n).map_or(f64::NAN, f64::from);
    if whole == 0 { 0.0 } else { float(part) / float(whole) }
}

fn format_share(part: usize, whole: usize) -> String {
    format!("{part} of {whole} ({:.2} %)", 100.0 * ratio_of(part, whole))
}
