//! Results of all bouts.

use fdna_api::BoutWithParties;

use crate::Dataset;
use crate::dataset::bouts::BoutRow;
use crate::dataset::images::ImageVisibility;

/// A bout in short with its event, fighters and result, which is null while there is none.
pub(crate) fn with_parties<'a>(
    data: &'a Dataset,
    bout: &'a BoutRow,
    shown: ImageVisibility,
) -> BoutWithParties<'a> {
    let [fighter_a, fighter_b] = bout.fighters.map(|fighter| data.fighter_compact(fighter, shown));
    BoutWithParties {
        bout: bout.compact(),
        event: data.event_compact(bout.event),
        fighter_a,
        fighter_b,
        result: bout.result(),
    }
}

#[cfg(test)]
mod tests {
    use fdna_api::METHODS;
    use fdna_model::{Method, WeightClass};

    #[test]
    fn what_can_be_asked_for_is_in_the_words_of_the_field() {
        assert!(METHODS.iter().all(|word| Method::from_name(word).is_some_and(|m| m.name() == *word)));
        assert_eq!(fdna_api::WEIGHT_CLASSES.to_vec(), WeightClass::ALL.map(WeightClass::name).to_vec());
        let others = fdna_model::OtherWeight::ALL.map(fdna_model::OtherWeight::name);
        assert_eq!(fdna_api::BOUT_CLASSES.to_vec(), [fdna_api::WEIGHT_CLASSES, &others].concat());
        let promotions: Vec<&str> = fdna_schemas::Promotions::get().promotion_codes().collect();
        assert_eq!(fdna_api::PROMOTIONS.to_vec(), promotions);
    }
}
