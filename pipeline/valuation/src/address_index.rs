//! Where properties are, by the parts of their addresses.

use std::collections::{BTreeMap, BTreeSet};

use crate::address::{Address, StreetParts};

/// Places of properties by house number and street.
type Places = BTreeMap<(String, String), Vec<usize>>;

/// Places of properties by their addresses.
#[derive(Debug, Default)]
pub(crate) struct AddressIndex {
    /// As stated.
    pub(crate) stated: Places,
    /// By each number of a range.
    pub(crate) members: Places,
    /// By the house number and the flat that is written behind it, as in `9086D`.
    pub(crate) flats: BTreeMap<(String, String, String), Vec<usize>>,
    /// Streets of a number, to find one of which a part was left out.
    pub(crate) streets: BTreeMap<String, Vec<(StreetParts, usize)>>,
    /// Flats under which a property was stated, by place.
    pub(crate) units: BTreeMap<usize, BTreeSet<String>>,
}

/// Adds a place once.
fn add_place<K: Ord>(index: &mut BTreeMap<K, Vec<usize>>, key: K, place: usize) {
    let there = index.entry(key).or_default();
    if !there.contains(&place) {
        there.push(place);
    }
}

impl AddressIndex {
    /// A number alone is no address: what stands there may be of any street.
    pub(crate) fn add_address(&mut self, place: usize, address: &Address) {
        let (street, unit) = (address.street_key(), address.unit_key());
        if let (Some(number), false) = (&address.number, street.is_empty()) {
            add_place(&mut self.stated, (number.clone(), street.clone()), place);
            for member in address.house_numbers().into_iter().skip(1) {
                add_place(&mut self.members, (member, street.clone()), place);
            }
            if let Some((house, flat)) = address.flat_in_number()
                && unit.as_ref().is_none_or(|unit| *unit == flat)
            {
                add_place(&mut self.flats, (house, street, flat), place);
            }
            let streets = self.streets.entry(number.clone()).or_default();
            let parts = (address.street_parts(), place);
            if !streets.contains(&parts) {
                streets.push(parts);
            }
        }
        unit.map(|unit| self.units.entry(place).or_default().insert(unit));
    }

    /// Those who state the number, then those of a range that it is in or whose ends it has, each with the flat that is asked
    /// for, then those who state that flat behind the number or apart from it.
    pub(crate) fn find_places(&self, address: &Address) -> [(Vec<usize>, Option<String>); 3] {
        let (street, unit) = (address.street_key(), address.unit_key());
        let at = |index: &Places, number: &String| {
            index.get(&(number.clone(), street.clone())).cloned().unwrap_or_default()
        };
        let own = address.number.iter().flat_map(|number| at(&self.stated, number)).collect();
        let numbers = address.house_numbers();
        let ends = [numbers.get(1), numbers.last().filter(|_| numbers.len() > 1)].into_iter().flatten();
        let mut of_range: Vec<usize> = ends.flat_map(|end| at(&self.stated, end)).collect();
        of_range.extend(numbers.iter().flat_map(|number| at(&self.members, number)));
        let split =
            address.flat_in_number().filter(|(_, flat)| unit.as_ref().is_none_or(|unit| unit == flat));
        let whole = address.number.clone().zip(unit.clone());
        let mut of_flat: Vec<usize> = Vec::new();
        for (house, flat) in [split, whole].into_iter().flatten() {
            let units = |place: &usize| self.units.get(place).is_some_and(|units| units.contains(&flat));
            of_flat.extend(at(&self.stated, &house).into_iter().filter(units));
            of_flat.extend(self.flats.get(&(house, street.clone(), flat.clone())).into_iter().flatten());
        }
        [(own, unit.clone()), (of_range, unit), (of_flat, None)]
    }
}
