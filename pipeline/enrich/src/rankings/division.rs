//! Divisions of the rankings, as the source has called them over the years.

use fdna_model::WeightClass;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum RankingDivision {
    Class(WeightClass),
    /// Men's, and until January 2020 everybody's.
    P4p,
    WomensP4p,
}

impl RankingDivision {
    /// `Women's Strawweight`, `Pound-for-Pound`, `Men's Pound-for-Pound`.
    pub(super) fn parse(label: &str) -> Option<Self> {
        let words = label.to_uppercase().replace(['\'', '\u{2019}'], "").replace([' ', '-'], "_");
        match words.as_str() {
            "POUND_FOR_POUND" | "MENS_POUND_FOR_POUND" => Some(Self::P4p),
            "WOMENS_POUND_FOR_POUND" => Some(Self::WomensP4p),
            class => WeightClass::from_name(class).map(Self::Class),
        }
    }

    /// As the API writes it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Class(class) => class.name(),
            Self::P4p => "P4P",
            Self::WomensP4p => "WOMENS_P4P",
        }
    }

    pub(super) fn weight_class(self) -> Option<WeightClass> {
        match self {
            Self::Class(class) => Some(class),
            Self::P4p | Self::WomensP4p => None,
        }
    }

    pub(super) fn is_womens(self) -> bool {
        self == Self::WomensP4p || self.weight_class().is_some_and(WeightClass::is_womens)
    }

    pub(super) fn is_p4p(self) -> bool {
        self.weight_class().is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_all_years_are_read() {
        let name = |label| RankingDivision::parse(label).map(RankingDivision::name);
        assert_eq!(name("Light Heavyweight"), Some("LIGHT_HEAVYWEIGHT"));
        assert_eq!(name("Women\u{2019}s Strawweight"), Some("WOMENS_STRAWWEIGHT"));
        assert_eq!(name("Pound-for-Pound"), Some("P4P"));
        assert_eq!(name("Men's Pound-for-Pound"), Some("P4P"));
        assert_eq!(name("Women's Pound-for-Pound"), Some("WOMENS_P4P"));
        assert_eq!(name("Catchweight"), None);
        assert_eq!(name("Light"), None);
    }
}
