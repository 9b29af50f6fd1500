//! Thresholds for the score of a link.

/// A link this sure is made; one that is less is a doubt.
pub(crate) const MATCH_THRESHOLD: f64 = 0.85;
/// Two candidates this near to each other are a doubt.
pub(crate) const AMBIGUITY_MARGIN: f64 = 0.05;
