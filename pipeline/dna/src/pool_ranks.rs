//! Ranks in a pool whose members' values move with the day.
//!
//! To look at every member on every day costs the members times the days. So a large pool is sorted once in a while by
//! what its members were worth on one day, and [`ValueDrift`] bounds how far each can have moved since: of a value's
//! neighbours alone is it computed anew what they are worth today. Who came since, and who left, is counted one by one.
//! Every number that is compared is computed as if all were: ranks are exact.

/// Values of the members of a pool on a day.
pub(crate) trait DailyValue: Copy {
    /// Data of a member.
    type Member: Copy;

    /// [`NONE`] for one that is not ranked.
    fn value_of(&self, member: Self::Member) -> f64;

    /// Whether one is ranked on this and on every day that [`Self::drift_since`] can be told of.
    fn membership_of(&self, member: Self::Member) -> PoolMembership;

    /// How far those that are [`PoolMembership::In`] on the day `then` can have moved up to this day; `None` if so far that
    /// neither that nor their membership is known.
    fn drift_since(&self, then: &Self) -> Option<ValueDrift>;
}

/// Value of an unranked member: below, equal to and above no value.
pub(crate) const NONE: f64 = f64::NAN;

/// Whether a member is ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PoolMembership {
    In,
    Out,
    /// It may be on one day and not on the next.
    Open,
}

/// One that was worth `then` is now within `shift + stretch · |then − around|` of it, but for `rounding` of the numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ValueDrift {
    pub(crate) shift: f64,
    /// Less than 1: the order of these bounds is that of what members were worth.
    pub(crate) stretch: f64,
    pub(crate) around: f64,
    pub(crate) rounding: f64,
}

impl ValueDrift {
    /// Of what never moves.
    pub(crate) const NONE: Self = Self { shift: 0.0, stretch: 0.0, around: 0.0, rounding: 0.0 };

    /// Bounds after the drift: values below the first are still below, values above the second are still above.
    fn drift_bounds(self, value: f64) -> (f64, f64) {
        let Self { shift, stretch, around, rounding } = self;
        let shift = shift + rounding * (value.abs() + around.abs() + shift);
        let was = |now: f64, towards: f64| (now - towards * around) / (1.0 - towards);
        let (low, high) = (value - shift, value + shift);
        let low = was(low, if low <= around { stretch } else { -stretch });
        (low, was(high, if high >= around { stretch } else { -stretch }))
    }
}

/// A smaller pool is not sorted: to look at all its members costs no more.
const SORTED_FROM: usize = 512;

/// The members of one pool.
pub(crate) struct PoolRanks<W: DailyValue> {
    /// The day of which the order is.
    then: Option<W>,
    /// Values on the day of the last sort, in order, with their members.
    sorted_then: Vec<f64>,
    sorted: Vec<W::Member>,
    /// Members that are not sorted.
    open: Vec<W::Member>,
    /// Members that left, of either.
    left: Vec<W::Member>,
    /// The pool is sorted again once this many members have joined or left.
    limit: usize,
    /// Values today of members that joined or left since.
    open_today: Vec<f64>,
    left_today: Vec<f64>,
}

/// A pool on a day.
pub(crate) struct RankedDay<'a, W: DailyValue> {
    pool: &'a PoolRanks<W>,
    today: W,
    drift: ValueDrift,
    /// Number of ranked members.
    pub(crate) size: usize,
}

/// Counts of members of a pool below a value, and equal to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PoolRank {
    pub(crate) below: usize,
    pub(crate) equal: usize,
}

impl<W: DailyValue> Default for PoolRanks<W> {
    fn default() -> Self {
        Self {
            then: None,
            sorted_then: Vec::new(),
            sorted: Vec::new(),
            open: Vec::new(),
            left: Vec::new(),
            limit: 0,
            open_today: Vec::new(),
            left_today: Vec::new(),
        }
    }
}

impl<W: DailyValue> PoolRanks<W> {
    pub(crate) fn enter_pool(&mut self, member: W::Member) {
        self.open.push(member);
    }

    /// `member` as it entered.
    pub(crate) fn leave_pool(&mut self, member: W::Member) {
        self.left.push(member);
    }

    /// The pool on a day; `members` are all that entered and did not leave.
    pub(crate) fn ranked_on(
        &mut self,
        today: W,
        members: impl Iterator<Item = W::Member>,
    ) -> RankedDay<'_, W> {
        let drift = self.then.map_or(Some(ValueDrift::NONE), |then| today.drift_since(&then));
        let drift = drift.filter(|_| self.open.len() + self.left.len() <= self.limit);
        let drift = drift.unwrap_or_else(|| {
            self.sort_pool(today, members);
            today.drift_since(&today).unwrap_or(ValueDrift::NONE)
        });
        let worth = |members: &[W::Member], today_worth: &mut Vec<f64>| {
            today_worth.clear();
            today_worth.extend(members.iter().map(|member| today.value_of(*member)));
            today_worth.iter().filter(|worth| !worth.is_nan()).count()
        };
        let open = worth(&self.open, &mut self.open_today);
        let left = worth(&self.left, &mut self.left_today);
        RankedDay { size: self.sorted.len() + open - left, pool: self, today, drift }
    }

    fn sort_pool(&mut self, today: W, members: impl Iterator<Item = W::Member>) {
        self.left.clear();
        self.open.clear();
        self.open.extend(members);
        self.limit = self.open.len() / 4;
        self.then =
            Some(today).filter(|_| self.open.len() >= SORTED_FROM && today.drift_since(&today).is_some());
        let mut sorted = Vec::new();
        if self.then.is_some() {
            self.open.retain(|member| match today.membership_of(*member) {
                PoolMembership::In => {
                    sorted.push((today.value_of(*member), *member));
                    false
                }
                membership => membership == PoolMembership::Open,
            });
            sorted.sort_unstable_by(|(a, _): &(f64, _), (b, _)| a.total_cmp(b));
        }
        (self.sorted_then, self.sorted) = sorted.into_iter().unzip();
        self.limit += self.open.len();
    }
}

/// More values than these are counted together.
const COUNTED_ALONE: usize = 16;

impl<W: DailyValue> RankedDay<'_, W> {
    /// The rank of each of these values, none of which is [`NONE`].
    pub(crate) fn ranks_of(&self, values: &[f64]) -> Vec<PoolRank> {
        let mut distinct = values.to_vec();
        distinct.sort_unstable_by(f64::total_cmp);
        distinct.dedup();
        let [open, left] = [&self.pool.open_today, &self.pool.left_today].map(|worth| {
            if distinct.len() > COUNTED_ALONE {
                count_together(worth, &distinct)
            } else {
                distinct.iter().map(|value| count_at_most(worth.iter().copied(), *value)).collect()
            }
        });
        let ranks = self.among_sorted(&distinct).zip(open).zip(left).map(|((sorted, open), left)| {
            let below = sorted.below + open.below - left.below;
            PoolRank { below, equal: sorted.at_most + open.at_most - left.at_most - below }
        });
        let ranks: Vec<PoolRank> = ranks.collect();
        values.iter().map(|value| ranks[distinct.partition_point(|other| other < value)]).collect()
    }

    /// Of values in order: each is looked for from where the one before it was found, since what is below that is below
    /// this.
    fn among_sorted(&self, values: &[f64]) -> impl Iterator<Item = AtMost> {
        let PoolRanks { sorted_then: then, sorted, .. } = self.pool;
        let mut surely_below = 0;
        values.iter().map(move |value| {
            let (low, high) = self.drift.drift_bounds(*value);
            surely_below += passed_count(&then[surely_below..], |then| then < low);
            let near = surely_below..surely_below + passed_count(&then[surely_below..], |then| then <= high);
            if self.drift == ValueDrift::NONE {
                return AtMost { below: near.start, at_most: near.end };
            }
            let AtMost { below, at_most } =
                count_at_most(sorted[near.clone()].iter().map(|member| self.today.value_of(*member)), *value);
            AtMost { below: near.start + below, at_most: near.start + at_most }
        })
    }
}

/// Counts of values below, and at most equal to, a value.
#[derive(Debug, Clone, Copy, Default)]
struct AtMost {
    below: usize,
    at_most: usize,
}

fn count_at_most(worth: impl Iterator<Item = f64>, value: f64) -> AtMost {
    worth.fold(AtMost::default(), |AtMost { below, at_most }, worth| AtMost {
        below: below + usize::from(worth < value),
        at_most: at_most + usize::from(worth <= value),
    })
}

/// As [`count_at_most`] of each value, where there are many of them, in order and each once: every member is looked up among the
/// values, since those are fewer and in the cache.
fn count_together(worth: &[f64], values: &[f64]) -> Vec<AtMost> {
    // By value: how many members are not below, or at most, the one before it, and are so here.
    let mut more = vec![AtMost::default(); values.len() + 1];
    for worth in worth.iter().filter(|worth| !worth.is_nan()) {
        let place = values.partition_point(|value| value < worth);
        let is_equal = values.get(place).is_some_and(|value| value <= worth);
        more[place].at_most += 1;
        more[place + usize::from(is_equal)].below += 1;
    }
    let mut so_far = AtMost::default();
    let counts = more[..values.len()].iter().map(|more| {
        so_far = AtMost { below: so_far.below + more.below, at_most: so_far.at_most + more.at_most };
        so_far
    });
    counts.collect()
}

/// As [`slice::partition_point`], in fewer steps where that is near the begin.
fn passed_count(sorted: &[f64], is_passed: impl Fn(f64) -> bool) -> usize {
    let mut until = 1;
    while sorted.get(until - 1).is_some_and(|value| is_passed(*value)) {
        until *= 2;
    }
    let from = until / 2;
    from + sorted[from..until.min(sorted.len())].partition_point(|value| is_passed(*value))
}
