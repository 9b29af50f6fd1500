//! Judges by their names: `Mike Bell` and `Michael Bell` are one, unless a source has both on one panel.

use std::collections::{BTreeMap, BTreeSet};

use fdna_model::fold_name;

use crate::link::SURE;
use crate::link::names::Name;

/// Which names are one judge's.
#[derive(Debug, Default)]
pub(super) struct Judges<'a> {
    /// By name, the one that stands on most cards of that judge.
    names: BTreeMap<&'a str, &'a str>,
}

impl<'a> Judges<'a> {
    /// Names of all panels: a panel is what one source says of one bout.
    pub(super) fn new(panels: impl Iterator<Item = Vec<&'a str>>) -> Self {
        let mut cards: BTreeMap<&str, usize> = BTreeMap::new();
        let mut apart: BTreeSet<(String, String)> = BTreeSet::new();
        for panel in panels {
            for (n, a) in panel.iter().enumerate() {
                *cards.entry(a).or_default() += 1;
                let others = panel.iter().enumerate().filter(|(m, _)| *m != n);
                apart.extend(others.map(|(_, b)| (fold_name(a), fold_name(b))));
            }
        }
        let mut often: Vec<(&'a str, usize)> = cards.into_iter().collect();
        often.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        let mut groups: Vec<Vec<(&'a str, Name)>> = Vec::new();
        for (judge, _) in often {
            let name = Name::new(judge);
            let is_one = |group: &&mut Vec<(&'a str, Name)>| {
                group.iter().all(|(_, other)| !apart.contains(&(name.folded.clone(), other.folded.clone())))
                    && group.iter().any(|(_, other)| other.likeness(&name) >= SURE)
            };
            match groups.iter_mut().find(is_one) {
                Some(group) => group.push((judge, name)),
                None => groups.push(vec![(judge, name)]),
            }
        }
        let named = |group: &Vec<(&'a str, Name)>| {
            let first = group.first().map(|(judge, _)| *judge).unwrap_or_default();
            group.iter().map(move |(judge, _)| (*judge, first)).collect::<Vec<_>>()
        };
        Self { names: groups.iter().flat_map(named).collect() }
    }

    /// The judge's name, however it is written.
    pub(super) fn name<'b>(&'b self, written: &'b str) -> &'b str {
        self.names.get(written).copied().unwrap_or(written)
    }

    pub(super) fn are_same(&self, a: &str, b: &str) -> bool {
        a == b || self.name(a) == self.name(b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_form_and_a_typing_error_are_one_judge_unless_they_sat_on_one_panel() {
        let panels = [
            vec!["Michael Bell", "Douglas Crosby", "Ann Dee"],
            vec!["Doug Crosby", "Mike Bell", "Ann Dee"],
            vec!["Douglas Crosby", "Michael Bell", "Chris Lee"],
            vec!["Chris Lee", "Kris Lee"],
        ];
        let judges = Judges::new(panels.into_iter());
        assert!(
            judges.are_same("Mike Bell", "Michael Bell") && judges.are_same("Doug Crosby", "Douglas Crosby")
        );
        assert_eq!(judges.name("Doug Crosby"), "Douglas Crosby", "the name of most cards");
        assert!(!judges.are_same("Chris Lee", "Kris Lee"), "two who sat side by side");
        assert!(!judges.are_same("Ann Dee", "Michael Bell"));
    }
}
