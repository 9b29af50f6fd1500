//! Counts of the statistics source in a round.

macro_rules! counts {
    ($($variant:ident $name:literal),+ $(,)?) => {
        /// A count of one fighter in one round. The names are the columns of `round_stats`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Count { $($variant),+ }

        impl Count {
            pub const ALL: [Self; counts!(@len $($variant)+)] = [$(Self::$variant),+];

            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }
        }
    };
    (@len $($variant:ident)+) => { [$(stringify!($variant)),+].len() };
}

counts! {
    Knockdowns "knockdowns",
    SigLanded "sig_landed", SigAttempted "sig_attempted",
    TotalLanded "total_landed", TotalAttempted "total_attempted",
    TdLanded "td_landed", TdAttempted "td_attempted",
    SubAttempts "sub_attempts", Reversals "reversals",
    HeadLanded "head_landed", HeadAttempted "head_attempted",
    BodyLanded "body_landed", BodyAttempted "body_attempted",
    LegLanded "leg_landed", LegAttempted "leg_attempted",
    DistanceLanded "distance_landed", DistanceAttempted "distance_attempted",
    ClinchLanded "clinch_landed", ClinchAttempted "clinch_attempted",
    GroundLanded "ground_landed", GroundAttempted "ground_attempted",
}

/// All counts of one fighter in one round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct RoundCounts {
    counts: [i32; Count::ALL.len()],
    /// Control time in seconds; `None` where the source did not record it, which is not 0.
    pub control_secs: Option<i32>,
}

impl RoundCounts {
    /// All counts 0, with the given control time.
    #[must_use]
    pub fn with_control(control_secs: Option<i32>) -> Self {
        Self { control_secs, ..Self::default() }
    }
}

impl std::ops::Index<Count> for RoundCounts {
    type Output = i32;

    fn index(&self, count: Count) -> &i32 {
        &self.counts[count as usize]
    }
}

impl std::ops::IndexMut<Count> for RoundCounts {
    fn index_mut(&mut self, count: Count) -> &mut i32 {
        &mut self.counts[count as usize]
    }
}

/// Landed and attempted of one kind of strike, for the checks below.
const PAIRS: [(Count, Count); 9] = [
    (Count::SigLanded, Count::SigAttempted),
    (Count::TotalLanded, Count::TotalAttempted),
    (Count::TdLanded, Count::TdAttempted),
    (Count::HeadLanded, Count::HeadAttempted),
    (Count::BodyLanded, Count::BodyAttempted),
    (Count::LegLanded, Count::LegAttempted),
    (Count::DistanceLanded, Count::DistanceAttempted),
    (Count::ClinchLanded, Count::ClinchAttempted),
    (Count::GroundLanded, Count::GroundAttempted),
];

const TARGETS: [[Count; 3]; 2] = [
    [Count::HeadLanded, Count::BodyLanded, Count::LegLanded],
    [Count::HeadAttempted, Count::BodyAttempted, Count::LegAttempted],
];
const POSITIONS: [[Count; 3]; 2] = [
    [Count::DistanceLanded, Count::ClinchLanded, Count::GroundLanded],
    [Count::DistanceAttempted, Count::ClinchAttempted, Count::GroundAttempted],
];
const SIGNIFICANT: [Count; 2] = [Count::SigLanded, Count::SigAttempted];
const TOTAL: [Count; 2] = [Count::TotalLanded, Count::TotalAttempted];

impl RoundCounts {
    /// Describes a contradiction in these counts; `None` if there is none.
    #[must_use]
    pub fn find_contradiction(&self) -> Option<String> {
        for (landed, attempted) in PAIRS {
            if self[landed] > self[attempted] || self[landed] < 0 {
                return Some(format!(
                    "{} {} of {} {}",
                    landed.name(),
                    self[landed],
                    attempted.name(),
                    self[attempted]
                ));
            }
        }
        (0..2).find_map(|i| {
            let sum = |parts: [Count; 3]| parts.into_iter().map(|c| self[c]).sum::<i32>();
            let (sig, total) = (self[SIGNIFICANT[i]], self[TOTAL[i]]);
            let (targets, positions) = (sum(TARGETS[i]), sum(POSITIONS[i]));
            let name = SIGNIFICANT[i].name();
            if targets != sig {
                Some(format!("targets sum to {targets}, {name} is {sig}"))
            } else if positions != sig {
                Some(format!("positions sum to {positions}, {name} is {sig}"))
            } else if sig > total {
                Some(format!("{name} {sig} exceeds {} {total}", TOTAL[i].name()))
            } else {
                None
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jab() -> RoundCounts {
        let mut counts = RoundCounts::default();
        for c in [Count::SigLanded, Count::TotalLanded, Count::HeadLanded, Count::DistanceLanded] {
            counts[c] = 1;
        }
        for c in [Count::SigAttempted, Count::TotalAttempted, Count::HeadAttempted, Count::DistanceAttempted]
        {
            counts[c] = 2;
        }
        counts
    }

    #[test]
    fn consistent_counts_pass_and_each_break_is_named() {
        assert_eq!(jab().find_contradiction(), None);
        let broken = |count, value| {
            let mut counts = jab();
            counts[count] = value;
            counts.find_contradiction().unwrap()
        };
        assert!(broken(Count::BodyAttempted, 1).starts_with("targets sum to 3"));
        assert!(broken(Count::ClinchAttempted, 1).starts_with("positions sum to 3"));
        assert!(broken(Count::TotalAttempted, 1).starts_with("sig_attempted 2 exceeds"));
        assert!(broken(Count::TdLanded, 1).starts_with("td_landed 1 of"));
    }
}
