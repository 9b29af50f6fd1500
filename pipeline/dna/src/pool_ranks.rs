//! How many members of a pool are below a value on a day, where what each is worth moves with the day.
//!
//! To look at every member on every day costs the members times the days. So a large pool is sorted once in a while by
//! what its members were worth on one day, and [`ValueDrift`] bounds how far each can have moved since: of a value's
//! neighbours alone is it computed anew what they are worth today. Who came since, and who left, is counted one by one.
//! Every number that is compared is computed as if all were: ranks are exact.

/// What the members of a pool are worth on a day.
pub(crate) trait DailyValue: Copy {
    /// What is needed of a member.
    type Member: Copy;

    /// [`NONE`] for one that is not ranked.
    fn of(&self, member: Self::Member) -> f64;

    /// Whether one is ranked on this and on every day that [`Self::drift`] can be told of.
    fn membership(&self, member: Self::Member) -> PoolMembership;

    /// How far those that are [`PoolMembership::In`] on the day `then` can have moved up to this day; `None` if so far that
    /// neither that nor their membership is known.
    fn drift(&self, then: &Self) -> Option<ValueDrift>;
}

/// What one is worth that is not ranked: below, equal to and above no value.
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

    /// What was less than the first is below the value now, and what was more than the second above it.
    fn bounds(self, value: f64) -> (f64, f64) {
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
    /// By what they were worth then.
    sorted: Vec<(f64, W::Member)>,
    /// Who is not sorted.
    open: Vec<W::Member>,
    /// Who left, of either.
    left: Vec<W::Member>,
    /// With so many open and left it is time to sort anew.
    limit: usize,
    /// What open members, and those who left, are worth today.
    open_today: Vec<f64>,
    left_today: Vec<f64>,
}

/// A pool on a day.
pub(crate) struct RankedDay<'a, W: DailyValue> {
    pool: &'a PoolRanks<W>,
    today: W,
    drift: ValueDrift,
    /// How many are ranked.
    pub(crate) size: usize,
}

/// How many members of a pool are below a value, and how many equal it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PoolRank {
    pub(crate) below: usize,
    pub(crate) equal: usize,
}

impl<W: DailyValue> Default for PoolRanks<W> {
    fn default() -> Self {
        let (sorted, open, left) = (Vec::new(), Vec::new(), Vec::new());
        Self { then: None, sorted, open, left, limit: 0, open_today: Vec::new(), left_today: Vec::new() }
    }
}

impl<W: DailyValue> PoolRanks<W> {
    pub(crate) fn enter(&mut self, member: W::Member) {
        self.open.push(member);
    }

    /// `member` as it entered.
    pub(crate) fn leave(&mut self, member: W::Member) {
        self.left.push(member);
    }

    /// The pool on a day; `members` are all that entered and did not leave.
    pub(crate) fn on(&mut self, today: W, members: impl Iterator<Item = W::Member>) -> RankedDay<'_, W> {
        let drift = self.then.map_or(Some(ValueDrift::NONE), |then| today.drift(&then));
        let drift = drift.filter(|_| self.open.len() + self.left.len() <= self.limit);
        let drift = drift.unwrap_or_else(|| {
            self.sort(today, members);
            today.drift(&today).unwrap_or(ValueDrift::NONE)
        });
        let worth = |members: &[W::Member], today_worth: &mut Vec<f64>| {
            today_worth.clear();
            today_worth.extend(members.iter().map(|member| today.of(*member)));
            today_worth.iter().filter(|worth| !worth.is_nan()).count()
        };
        let open = worth(&self.open, &mut self.open_today);
        let left = worth(&self.left, &mut self.left_today);
        RankedDay { size: self.sorted.len() + open - left, pool: self, today, drift }
    }

    fn sort(&mut self, today: W, members: impl Iterator<Item = W::Member>) {
        self.sorted.clear();
        self.left.clear();
        self.open.clear();
        self.open.extend(members);
        self.limit = self.open.len() / 4;
        self.then = Some(today).filter(|_| self.open.len() >= SORTED_FROM && today.drift(&today).is_some());
        if self.then.is_some() {
            let sorted = &mut self.sorted;
            self.open.retain(|member| match today.membership(*member) {
                PoolMembership::In => {
                    sorted.push((today.of(*member), *member));
                    false
                }
                membership => membership == PoolMembership::Open,
            });
            sorted.sort_unstable_by(|(a, _), (b, _)| a.total_cmp(b));
        }
        self.limit += self.open.len();
    }
}

impl<W: DailyValue> RankedDay<'_, W> {
    pub(crate) fn rank(&self, value: f64) -> PoolRank {
        let (low, high) = self.drift.bounds(value);
        let sorted = &self.pool.sorted;
        let surely_below = sorted.partition_point(|(then, _)| *then < low);
        let near = &sorted[surely_below..];
        let near = &near[..near.partition_point(|(then, _)| *then <= high)];
        let (near_below, near_at_most) = if self.drift == ValueDrift::NONE {
            (0, near.len())
        } else {
            count(near.iter().map(|(_, member)| self.today.of(*member)), value)
        };
        let (open_below, open_at_most) = count(self.pool.open_today.iter().copied(), value);
        let (left_below, left_at_most) = count(self.pool.left_today.iter().copied(), value);
        let below = surely_below + near_below + open_below - left_below;
        PoolRank { below, equal: surely_below + near_at_most + open_at_most - left_at_most - below }
    }
}

/// How many are below a value, and how many at most equal to it.
fn count(worth: impl Iterator<Item = f64>, value: f64) -> (usize, usize) {
    worth.fold((0, 0), |(below, at_most), worth| {
        (below + usize::from(worth < value), at_most + usize::from(worth <= value))
    })
}
