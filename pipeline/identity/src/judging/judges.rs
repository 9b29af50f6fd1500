//! Judges by their names: `Mike Bell` and `Michael Bell` are one, unless a source has both on one panel. What a person
//! decided wins over both.

use std::collections::{BTreeMap, BTreeSet};

use fdna_model::fold_name;

use crate::decisions::{DecisionEntry, DecisionError};
use crate::name_similarity::FoldedName;
use crate::thresholds::MATCH_THRESHOLD;

/// Spellings of each judge's name.
#[derive(Debug, Default)]
pub(super) struct JudgeNames<'a> {
    /// By name, the one that stands on most cards of that judge.
    names: BTreeMap<&'a str, &'a str>,
}

impl<'a> JudgeNames<'a> {
    /// Names of all panels: a panel is what one source says of one bout. Those of `uncounted` panels are no more often
    /// for it.
    pub(super) fn new(
        panels: impl Iterator<Item = Vec<&'a str>>,
        uncounted: impl Iterator<Item = Vec<&'a str>>,
        decided: &[DecisionEntry<String>],
    ) -> Self {
        let mut cards: BTreeMap<&str, usize> = BTreeMap::new();
        let mut side_by_side: BTreeSet<(&str, &str)> = BTreeSet::new();
        for (panel, count) in panels.map(|panel| (panel, 1)).chain(uncounted.map(|panel| (panel, 0))) {
            for (n, a) in panel.iter().enumerate() {
                *cards.entry(a).or_default() += count;
                let others = panel.iter().enumerate().filter(|(m, _)| *m != n);
                side_by_side.extend(others.map(|(_, b)| (*a, *b)));
            }
        }
        let mut apart: BTreeSet<(String, String)> =
            side_by_side.into_iter().map(|(a, b)| (fold_name(a), fold_name(b))).collect();
        let mut joined: BTreeSet<(&str, &str)> = BTreeSet::new();
        for DecisionEntry { is_same, ids: [a, b], .. } in decided {
            if *is_same {
                joined.extend([(a.as_str(), b.as_str()), (b, a)]);
            } else {
                apart.extend([(fold_name(a), fold_name(b)), (fold_name(b), fold_name(a))]);
            }
        }
        let mut often: Vec<(&'a str, usize)> = cards.into_iter().collect();
        often.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        let mut groups: Vec<Vec<(&'a str, FoldedName)>> = Vec::new();
        for (judge, _) in often {
            let name = FoldedName::new(judge);
            let is_decided = |group: &Vec<(&str, FoldedName)>| {
                group.iter().any(|(other, _)| joined.contains(&(judge, *other)))
            };
            let is_alike = |group: &Vec<(&str, FoldedName)>| {
                group.iter().any(|(_, other)| other.similarity(&name) >= MATCH_THRESHOLD)
                    && group
                        .iter()
                        .all(|(_, other)| !apart.contains(&(name.folded.clone(), other.folded.clone())))
            };
            let place = groups.iter().position(is_decided).or_else(|| groups.iter().position(is_alike));
            match place {
                Some(place) => groups[place].push((judge, name)),
                None => groups.push(vec![(judge, name)]),
            }
        }
        let named = |group: &Vec<(&'a str, FoldedName)>| {
            let first = group.first().map(|(judge, _)| *judge).unwrap_or_default();
            group.iter().map(move |(judge, _)| (*judge, first)).collect::<Vec<_>>()
        };
        Self { names: groups.iter().flat_map(named).collect() }
    }

    /// The judge's name, however it is written.
    pub(super) fn canonical_name<'b>(&'b self, written: &'b str) -> &'b str {
        self.names.get(written).copied().unwrap_or(written)
    }

    /// Checks that every decision was about known names, and was followed.
    pub(super) fn check_decisions(&self, decided: &[DecisionEntry<String>]) -> Result<(), DecisionError> {
        for entry in decided {
            if let Some(unknown) = entry.ids.iter().find(|name| !self.names.contains_key(name.as_str())) {
                return Err(entry.to_error(format!("no capture has a judge `{unknown}`")));
            }
            if self.are_same(&entry.ids[0], &entry.ids[1]) != entry.is_same {
                return Err(entry.to_error("other decisions tie these names otherwise".to_owned()));
            }
        }
        Ok(())
    }

    pub(super) fn are_same(&self, a: &str, b: &str) -> bool {
        a == b || self.canonical_name(a) == self.canonical_name(b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LinkDecisions;

    #[test]
    fn a_short_form_and_a_typing_error_are_one_judge_unless_they_sat_on_one_panel() {
        let panels = [
            vec!["Michael Bell", "Douglas Crosby", "Ann Dee"],
            vec!["Doug Crosby", "Mike Bell", "Ann Dee"],
            vec!["Douglas Crosby", "Michael Bell", "Chris Lee"],
            vec!["Chris Lee", "Kris Lee"],
        ];
        let uncounted =
            [vec!["Doug Crosby", "Ann Dee"], vec!["Doug Crosby"], vec!["Chris Leigh", "Kris Leigh"]];
        let judges = JudgeNames::new(panels.into_iter(), uncounted.into_iter(), &[]);
        assert!(
            judges.are_same("Mike Bell", "Michael Bell") && judges.are_same("Doug Crosby", "Douglas Crosby")
        );
        assert_eq!(judges.canonical_name("Doug Crosby"), "Douglas Crosby", "the name of most cards");
        assert!(!judges.are_same("Chris Lee", "Kris Lee"), "two who sat side by side");
        assert!(!judges.are_same("Chris Leigh", "Kris Leigh"), "side by side on cards that do not count");
        assert!(!judges.are_same("Ann Dee", "Michael Bell"));
    }

    #[test]
    fn what_a_person_decided_wins_over_likeness_and_over_panels() {
        let text = |table: &str, a: &str, b: &str| {
            format!(
                "[[{table}]]\nname = \"{a}\"\nas = \"{b}\"\nreason = \"seen\"\nby = \"A\"\non = 2026-11-21\n"
            )
        };
        let decided = |texts: &[String]| {
            LinkDecisions::parse(&[("judges.toml".to_owned(), texts.concat())])
                .expect("decisions")
                .judge_decisions()
                .to_vec()
        };
        let judged = |decided: &[DecisionEntry<String>]| {
            let panels = [
                vec!["Mike Bell", "Ann Dee"],
                vec!["Michael Bell", "Rowe Annabel"],
                vec!["Ann Dee", "Chris Lee"],
            ];
            let judges = JudgeNames::new(panels.into_iter(), std::iter::empty(), decided);
            let same = [("Mike Bell", "Michael Bell"), ("Ann Dee", "Rowe Annabel"), ("Ann Dee", "Chris Lee")];
            (
                same.map(|(a, b)| judges.are_same(a, b)),
                judges.check_decisions(decided).map_err(|error| error.to_string()),
            )
        };
        assert_eq!(judged(&[]), ([true, false, false], Ok(())));
        let both = decided(&[
            text("different_judge", "Mike Bell", "Michael Bell"),
            text("same_judge", "Ann Dee", "Rowe Annabel"),
        ]);
        assert_eq!(judged(&both), ([false, true, false], Ok(())));
        let unknown = judged(&decided(&[text("same_judge", "Ann Dee", "Nobody")])).1;
        assert_eq!(unknown, Err("judges.toml:1, entry same_judge 1: no capture has a judge `Nobody`".into()));
        let against = judged(&decided(&[
            text("same_judge", "Ann Dee", "Chris Lee"),
            text("different_judge", "Ann Dee", "Chris Lee"),
        ]));
        assert!(against.1.is_err_and(|error| error.contains("entry different_judge 1: other decisions")));
    }
}
