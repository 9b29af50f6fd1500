//! Random numbers that are the same on every machine and for ever.
//!
//! The sample is checked in and its digests appear in tests, so the generator cannot depend on a
//! crate that may change its algorithm, nor on floating point. This is splitmix64 (Steele, Lea
//! and Flood 2014): sixty-four bits of state, a fixed step, and a finalising mix.

/// One stream of random numbers.
pub(super) struct Rng {
    state: u64,
}

impl Rng {
    /// The stream for one purpose and one item of it. Streams are independent, so that drawing
    /// more numbers for one bout does not change the next one, and a later capture of the same
    /// world repeats everything that it does not change.
    pub(super) fn stream(seed: u64, purpose: &str, item: usize) -> Self {
        // FNV-1a over the purpose: it only has to tell a dozen short words apart.
        let purpose = purpose.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        let item = (item as u64).wrapping_mul(0xd6e8_feb8_6659_fd93);
        let mut rng = Self { state: seed ^ purpose ^ item };
        rng.next();
        rng
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to but not including `n`; 0 if `n` is 0.
    pub(super) fn below(&mut self, n: u32) -> u32 {
        // The high half of a 32 by 32 bit product: unbiased enough, and free of a cast.
        let [a, b, c, d, ..] = ((self.next() >> 32) * u64::from(n)).to_be_bytes();
        u32::from_be_bytes([a, b, c, d])
    }

    /// A number from `low` to `high`, both included.
    pub(super) fn between(&mut self, low: u32, high: u32) -> u32 {
        low + self.below(high.saturating_sub(low) + 1)
    }

    /// True `permille` times in a thousand.
    pub(super) fn chance(&mut self, permille: u32) -> bool {
        self.below(1000) < permille
    }

    /// An index into something of that length.
    pub(super) fn index(&mut self, len: usize) -> usize {
        self.below(u32::try_from(len).unwrap_or(u32::MAX)) as usize
    }

    /// One of the items; the slice must not be empty.
    pub(super) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.index(items.len())]
    }

    /// An index, chosen in proportion to the weights.
    pub(super) fn weighted_index(&mut self, weights: &[u32]) -> usize {
        let mut left = self.below(weights.iter().sum());
        for (index, &weight) in weights.iter().enumerate() {
            if left < weight {
                return index;
            }
            left -= weight;
        }
        0
    }

    /// How often a rare thing happens, given its mean in thousandths: a binomial of thirty
    /// trials, near enough to a Poisson and free of an exponential.
    pub(super) fn draw_count(&mut self, mean_milli: u32) -> u32 {
        (0..30).map(|_| u32::from(self.below(30_000) < mean_milli)).sum()
    }

    /// How many of `trials` succeed.
    pub(super) fn draw_successes(&mut self, trials: u32, permille: u32) -> u32 {
        (0..trials).map(|_| u32::from(self.chance(permille))).sum()
    }

    /// Sixteen hexadecimal digits, as the source's addresses end.
    pub(super) fn draw_hex16(&mut self) -> String {
        format!("{:016x}", self.next())
    }

    /// Puts the items into a random order (Fisher and Yates).
    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.index(last + 1);
            items.swap(last, other);
        }
    }
}
