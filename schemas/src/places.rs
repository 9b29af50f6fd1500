//! Countries, regions and time zones, one way to write each: `places.toml`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

/// Place of an event, as far as it is known.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    pub city: Option<String>,
    pub region: Option<String>,
    pub country: Option<String>,
}

/// Every place that the contract names.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Places {
    country: BTreeMap<String, Country>,
    place: Vec<Alias>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Country {
    /// Time zone of the whole country.
    zone: Option<String>,
    #[serde(default)]
    also: Vec<String>,
    /// Short form and time zone.
    #[serde(default)]
    regions: BTreeMap<String, (String, String)>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Alias {
    written: Place,
    meant: Place,
}

impl Places {
    /// Those of this build.
    ///
    /// # Panics
    /// Never in a build that passed its tests: they read the file.
    #[must_use]
    pub fn get() -> &'static Self {
        static PLACES: LazyLock<Places> = LazyLock::new(|| {
            let text = include_str!("../places.toml");
            toml::from_str(text).unwrap_or_else(|error| panic!("read places.toml: {error}"))
        });
        &PLACES
    }

    /// The country that is written so, by its name here.
    #[must_use]
    pub fn country_code(&self, written: &str) -> Option<&str> {
        let is_it = |name: &str| name.eq_ignore_ascii_case(written);
        let found = self
            .country
            .iter()
            .find(|(name, country)| is_it(name) || country.also.iter().any(|other| is_it(other)));
        found.map(|(name, _)| name.as_str())
    }

    /// A text that ends with a country, such as `Las Vegas United States`: what stands before it, and the country.
    #[must_use]
    pub fn split_country<'a>(&self, text: &'a str) -> Option<(&'a str, &str)> {
        let names = self.country.iter().flat_map(|(name, country)| {
            std::iter::once(name).chain(&country.also).map(move |written| (written.as_str(), name.as_str()))
        });
        let found = names.filter_map(|(written, name)| {
            let rest = text.strip_suffix(written)?;
            (rest.is_empty() || rest.ends_with([' ', ',']))
                .then_some((rest.trim_end_matches([' ', ',']), name))
        });
        found.min_by_key(|(rest, _)| rest.len())
    }

    /// One way to write a place. A region of one country alone names that country; what the contract does not know
    /// stays as it is written, without spaces too many.
    #[must_use]
    pub fn normalise_place(&self, place: &Place) -> Place {
        let text = |text: &Option<String>| {
            let words = text.as_deref().map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
            words.filter(|text| !text.is_empty())
        };
        let mut out =
            Place { city: text(&place.city), region: text(&place.region), country: text(&place.country) };
        if let Some(name) = out.country.as_deref().and_then(|written| self.country_code(written)) {
            out.country = Some(name.to_owned());
        }
        if let Some((country, region)) =
            out.region.as_deref().and_then(|r| self.region_of(out.country.as_deref(), r))
        {
            out.country = Some(country.to_owned());
            out.region = Some(region.to_owned());
        }
        let alias = self.place.iter().find(|alias| alias.written == out);
        alias.map_or(out, |alias| alias.meant.clone())
    }

    /// Country and name of a region that is written so.
    fn region_of(&self, country: Option<&str>, written: &str) -> Option<(&str, &str)> {
        let countries =
            self.country.iter().filter(|(name, _)| country.is_none_or(|country| country == *name));
        let found = countries.flat_map(|(name, country)| {
            let regions = country.regions.iter();
            regions.map(move |(region, (short, _))| (name.as_str(), region.as_str(), short.as_str()))
        });
        let mut found = found.filter(|(_, region, short)| *region == written || *short == written);
        let first = found.next().filter(|_| found.next().is_none())?;
        Some((first.0, first.1))
    }

    /// Time zone of a normalised place, by its name in the IANA database.
    #[must_use]
    pub fn time_zone(&self, place: &Place) -> Option<&str> {
        let country = self.country.get(place.country.as_deref()?)?;
        let region = place.region.as_deref().and_then(|region| country.regions.get(region));
        region.map(|(_, zone)| zone.as_str()).or(country.zone.as_deref())
    }
}
