//! What is kept of the capture before between runs.

use super::{EventState, FighterState, PreviousCapture};
use crate::capture_merger::{CheckpointReader, CheckpointWriter, Checkpointed};
use crate::statsdb::names::{FighterProfile, NameResolver};

impl Checkpointed for PreviousCapture {
    fn put(&self, out: &mut CheckpointWriter) {
        self.units.put(out);
        self.fighters.put(out);
    }

    fn take(from: &mut CheckpointReader<'_>) -> Option<Self> {
        let mut previous =
            Self { units: Checkpointed::take(from)?, fighters: Checkpointed::take(from)?, ..Self::default() };
        previous.names = names(&previous);
        for judge in previous.units.values().flat_map(|known| &known.judges) {
            *previous.judges.entry(judge.clone()).or_default() += 1;
        }
        Some(previous)
    }
}

fn names(previous: &PreviousCapture) -> NameResolver {
    let mut names = NameResolver::default();
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

impl Checkpointed for EventState {
    fn put(&self, out: &mut CheckpointWriter) {
        self.digest.put(out);
        self.is_open.put(out);
        self.names.put(out);
        self.judges.put(out);
        self.labels.put(out);
        self.rows.put(out);
    }

    fn take(from: &mut CheckpointReader<'_>) -> Option<Self> {
        Some(Self {
            digest: Checkpointed::take(from)?,
            is_open: Checkpointed::take(from)?,
            names: Checkpointed::take(from)?,
            judges: Checkpointed::take(from)?,
            labels: Checkpointed::take(from)?,
            rows: Checkpointed::take(from)?,
        })
    }
}

impl Checkpointed for FighterState {
    fn put(&self, out: &mut CheckpointWriter) {
        self.digest.put(out);
        self.index.put(out);
        self.tape.put(out);
        self.row.put(out);
    }

    fn take(from: &mut CheckpointReader<'_>) -> Option<Self> {
        Some(Self {
            digest: Checkpointed::take(from)?,
            index: Checkpointed::take(from)?,
            tape: Checkpointed::take(from)?,
            row: Checkpointed::take(from)?,
        })
    }
}

impl Checkpointed for FighterProfile {
    fn put(&self, out: &mut CheckpointWriter) {
        self.born.put(out);
        self.weight_lbs.put(out);
        self.height_in.put(out);
    }

    fn take(from: &mut CheckpointReader<'_>) -> Option<Self> {
        Some(Self {
            born: Checkpointed::take(from)?,
            weight_lbs: Checkpointed::take(from)?,
            height_in: Checkpointed::take(from)?,
        })
    }
}
