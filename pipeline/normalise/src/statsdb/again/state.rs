//! What is kept of the capture before between runs.

use super::{Fighter, Known, Previous};
use crate::merging::{In, Kept, Out};
use crate::statsdb::names::{Names, Profile};

impl Kept for Previous {
    fn put(&self, out: &mut Out) {
        self.units.put(out);
        self.fighters.put(out);
    }

    fn take(from: &mut In<'_>) -> Option<Self> {
        let mut previous = Self { units: Kept::take(from)?, fighters: Kept::take(from)?, ..Self::default() };
        previous.names = names(&previous);
        for judge in previous.units.values().flat_map(|known| &known.judges) {
            *previous.judges.entry(judge.clone()).or_default() += 1;
        }
        Some(previous)
    }
}

fn names(previous: &Previous) -> Names {
    let mut names = Names::default();
    for (id, fighter) in &previous.fighters {
        if let Some((name, profile)) = &fighter.tape {
            names.add_tape(id, name, profile.clone());
        }
        if let Some(name) = &fighter.index {
            names.add_index(id, name);
        }
    }
    names
}

impl Kept for Known {
    fn put(&self, out: &mut Out) {
        self.digest.put(out);
        self.is_open.put(out);
        self.names.put(out);
        self.judges.put(out);
        self.labels.put(out);
        self.rows.put(out);
    }

    fn take(from: &mut In<'_>) -> Option<Self> {
        Some(Self {
            digest: Kept::take(from)?,
            is_open: Kept::take(from)?,
            names: Kept::take(from)?,
            judges: Kept::take(from)?,
            labels: Kept::take(from)?,
            rows: Kept::take(from)?,
        })
    }
}

impl Kept for Fighter {
    fn put(&self, out: &mut Out) {
        self.digest.put(out);
        self.index.put(out);
        self.tape.put(out);
        self.row.put(out);
    }

    fn take(from: &mut In<'_>) -> Option<Self> {
        Some(Self {
            digest: Kept::take(from)?,
            index: Kept::take(from)?,
            tape: Kept::take(from)?,
            row: Kept::take(from)?,
        })
    }
}

impl Kept for Profile {
    fn put(&self, out: &mut Out) {
        self.born.put(out);
        self.weight_lbs.put(out);
        self.height_in.put(out);
    }

    fn take(from: &mut In<'_>) -> Option<Self> {
        Some(Self { born: Kept::take(from)?, weight_lbs: Kept::take(from)?, height_in: Kept::take(from)? })
    }
}
