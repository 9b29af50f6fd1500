//! Prices and limits of the plans: the contract's, unless the operator's file changes them.

pub use fdna_api::Plan;
use serde::Deserialize;

/// Plans, lowest first.
pub const PLANS: [Plan; 5] = [Plan::Developer, Plan::Pro, Plan::Ultra, Plan::Scale, Plan::Enterprise];

/// The largest limit: far above what is sold, and sums of it do not overflow.
pub const MAX_LIMIT: u64 = 1_000_000_000_000;

const DEFAULTS: &str = include_str!("plans.toml");

/// The plan of this name.
#[must_use]
pub fn plan_named(name: &str) -> Option<Plan> {
    PLANS.into_iter().find(|plan| plan.name() == name)
}

/// Requests that an account may make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// In a UTC minute.
    pub per_minute: u64,
    /// In a UTC month.
    pub per_month: u64,
    /// Bytes of table files in a UTC month; `None` where they are not limited.
    pub download_bytes_per_month: Option<u64>,
}

/// Limits of an account that replace its plan's.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CustomLimits {
    pub per_minute: Option<u64>,
    pub per_month: Option<u64>,
    pub download_bytes_per_month: Option<u64>,
}

/// Price and limits of a plan; a missing number is negotiated.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanTerms {
    pub price_usd_per_month: Option<u32>,
    pub requests_per_month: Option<u64>,
    pub requests_per_minute: Option<u64>,
    /// Bytes of table files; without a number they are not limited.
    pub download_bytes_per_month: Option<u64>,
    pub unlocks: Option<String>,
    /// Routes of the multi-sport catalog.
    pub catalog: Option<CatalogListing>,
}

/// How many routes of the multi-sport catalog a plan has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CatalogListing {
    /// Those of the narrow listing.
    Narrow,
    /// All.
    Full,
}

/// Why plans cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    #[error("cannot read the plans")]
    Parse(#[from] toml::de::Error),
    #[error("plan {plan} has a limit of {limit}; it must be 1 to {MAX_LIMIT}")]
    Limit { plan: &'static str, limit: u64 },
    #[error("plan {plan} has no default limits: the account needs its own")]
    Negotiated { plan: &'static str },
}

/// The terms of all plans.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plans([PlanTerms; PLANS.len()]);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlansFile {
    #[serde(default)]
    developer: PlanTerms,
    #[serde(default)]
    pro: PlanTerms,
    #[serde(default)]
    ultra: PlanTerms,
    #[serde(default)]
    scale: PlanTerms,
    #[serde(default)]
    enterprise: PlanTerms,
}

impl Plans {
    /// The contract's plans.
    ///
    /// # Errors
    /// Never: the text is compiled in, and a test parses it.
    pub fn default_plans() -> Result<Self, PlanError> {
        Self::parse(DEFAULTS)
    }

    /// The contract's plans, changed by the text of a TOML file.
    ///
    /// # Errors
    /// The text is no TOML, or contains an unknown name or an invalid limit.
    pub fn from_toml(text: &str) -> Result<Self, PlanError> {
        let (Self(defaults), Self(given)) = (Self::default_plans()?, Self::parse(text)?);
        let mut given = given.into_iter();
        Ok(Self(defaults.map(|terms| terms.overridden_by(given.next().unwrap_or_default()))))
    }

    fn parse(text: &str) -> Result<Self, PlanError> {
        let file: PlansFile = toml::from_str(text)?;
        let plans = Self([file.developer, file.pro, file.ultra, file.scale, file.enterprise]);
        for (plan, terms) in PLANS.iter().zip(&plans.0) {
            let limits =
                [terms.requests_per_minute, terms.requests_per_month, terms.download_bytes_per_month];
            limits.into_iter().flatten().try_for_each(|limit| check_limit(*plan, limit))?;
        }
        Ok(plans)
    }

    #[must_use]
    pub fn terms_of(&self, plan: Plan) -> &PlanTerms {
        &self.0[PLANS.iter().position(|p| *p == plan).unwrap_or_default()]
    }

    /// The plans that have every route of the multi-sport catalog, lowest first.
    #[must_use]
    pub fn with_full_catalog(&self) -> Vec<Plan> {
        let is_full = |plan: &Plan| self.terms_of(*plan).catalog == Some(CatalogListing::Full);
        PLANS.into_iter().filter(is_full).collect()
    }

    /// The limits of an account on this plan.
    ///
    /// # Errors
    /// Neither the plan nor the account has a limit, or it is invalid.
    pub fn limits_of(&self, plan: Plan, custom: CustomLimits) -> Result<Limits, PlanError> {
        let terms = self.terms_of(plan);
        let number = |own: Option<u64>, of_plan: Option<u64>| {
            let limit = own.or(of_plan).ok_or(PlanError::Negotiated { plan: plan.name() })?;
            check_limit(plan, limit).map(|()| limit)
        };
        Ok(Limits {
            per_minute: number(custom.per_minute, terms.requests_per_minute)?,
            per_month: number(custom.per_month, terms.requests_per_month)?,
            download_bytes_per_month: custom.download_bytes_per_month.or(terms.download_bytes_per_month),
        })
    }
}

impl PlanTerms {
    fn overridden_by(self, other: Self) -> Self {
        Self {
            price_usd_per_month: other.price_usd_per_month.or(self.price_usd_per_month),
            requests_per_month: other.requests_per_month.or(self.requests_per_month),
            requests_per_minute: other.requests_per_minute.or(self.requests_per_minute),
            download_bytes_per_month: other.download_bytes_per_month.or(self.download_bytes_per_month),
            unlocks: other.unlocks.or(self.unlocks),
            catalog: other.catalog.or(self.catalog),
        }
    }
}

fn check_limit(plan: Plan, limit: u64) -> Result<(), PlanError> {
    let fits = (1..=MAX_LIMIT).contains(&limit);
    if fits { Ok(()) } else { Err(PlanError::Limit { plan: plan.name(), limit }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_the_specifications() {
        let plans = Plans::default_plans().unwrap();
        let of = |plan: Plan| {
            let terms = plans.terms_of(plan);
            (terms.price_usd_per_month, terms.requests_per_month, terms.requests_per_minute)
        };
        assert_eq!(of(Plan::Developer), (Some(79), Some(25_000), Some(60)));
        assert_eq!(of(Plan::Pro), (Some(199), Some(100_000), Some(180)));
        assert_eq!(of(Plan::Ultra), (Some(499), Some(500_000), Some(600)));
        assert_eq!(of(Plan::Scale), (Some(1499), Some(2_000_000), Some(1200)));
        assert_eq!(of(Plan::Enterprise), (None, None, None));
    }

    #[test]
    fn a_file_changes_what_it_names_and_nothing_else() {
        let plans = Plans::from_toml("[pro]\nrequests_per_minute = 240\n").unwrap();
        let limits = plans.limits_of(Plan::Pro, CustomLimits::default()).unwrap();
        let expected = Limits { per_minute: 240, per_month: 100_000, download_bytes_per_month: None };
        assert_eq!(limits, expected);
        assert_eq!(plans.terms_of(Plan::Pro).price_usd_per_month, Some(199));
        assert_eq!(plans.terms_of(Plan::Scale), Plans::default_plans().unwrap().terms_of(Plan::Scale));
    }

    #[test]
    fn what_no_plan_has_is_refused() {
        for text in [
            "[gold]\nrequests_per_minute = 1",
            "[pro]\nrequests_per_hour = 1",
            "[pro]\nrequests_per_minute = 0",
            "[pro]\nrequests_per_month = -1",
            "[pro]\nrequests_per_month = 9_000_000_000_000",
            "pro = 5",
        ] {
            assert!(Plans::from_toml(text).is_err(), "{text}");
        }
    }

    #[test]
    fn enterprise_needs_numbers_of_its_own_and_any_account_may_have_some() {
        let plans = Plans::default_plans().unwrap();
        assert!(plans.limits_of(Plan::Enterprise, CustomLimits::default()).is_err());
        let half = CustomLimits { per_minute: Some(5000), ..CustomLimits::default() };
        assert!(plans.limits_of(Plan::Enterprise, half).is_err());
        let own = CustomLimits { per_month: Some(90_000_000), ..half };
        let limits = plans.limits_of(Plan::Enterprise, own).unwrap();
        let expected = Limits { per_minute: 5000, per_month: 90_000_000, download_bytes_per_month: None };
        assert_eq!(limits, expected);
        assert_eq!(plans.limits_of(Plan::Developer, half).unwrap().per_month, 25_000);
        let none = CustomLimits { per_minute: Some(0), ..CustomLimits::default() };
        assert!(plans.limits_of(Plan::Pro, none).is_err());
    }

    #[test]
    fn plans_are_found_by_their_names() {
        for plan in PLANS {
            assert_eq!(plan_named(plan.name()), Some(plan));
        }
        assert_eq!(plan_named("Pro"), None);
        assert!(PLANS.is_sorted());
    }
}
