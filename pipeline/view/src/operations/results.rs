//! Results of all bouts.

use chrono::NaiveDate;
use fdna_api::operations::parameters::PROMOTION;
use fdna_api::operations::results;
use fdna_api::{BoutWithParties, Failure};
use fdna_model::Method;

use super::OperationRequest;
use super::page::{EntityFilter, page};
use crate::Dataset;
use crate::dataset::bouts::BoutRow;
use crate::dataset::images::ImageVisibility;
use crate::operations::OperationResponse;

/// Newest first.
pub(crate) fn results(data: &Dataset, request: &OperationRequest) -> Result<OperationResponse, Failure> {
    let filter = ResultFilter::of(data, request)?;
    let bouts = data.bouts.with_result.iter().map(|&row| &data.bouts.rows[row]);
    let (bouts, meta) = page(data, bouts.filter(|bout| filter.takes(data, bout)).collect(), request)?;
    let items: Vec<_> = bouts.into_iter().map(|bout| with_parties(data, bout, request.shown())).collect();
    request.answer(&items, meta)
}

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

/// Which results are asked for.
struct ResultFilter {
    from: Option<NaiveDate>,
    to: Option<NaiveDate>,
    of: EntityFilter,
    method: Option<Method>,
    weight_class: Option<&'static str>,
    promotion: Option<&'static str>,
}

impl ResultFilter {
    fn of(data: &Dataset, request: &OperationRequest) -> Result<Self, Failure> {
        let (from, to) = request.params.span()?;
        Ok(Self {
            from,
            to,
            of: EntityFilter::of(data, request)?,
            method: request.params.get(results::METHOD).and_then(Method::from_name),
            weight_class: request.params.get(results::WEIGHT_CLASS),
            promotion: request.params.get(PROMOTION),
        })
    }

    fn takes(&self, data: &Dataset, bout: &BoutRow) -> bool {
        let method = bout.result.as_ref().and_then(|result| result.method);
        self.from.is_none_or(|day| bout.date >= day)
            && self.to.is_none_or(|day| bout.date <= day)
            && self.of.event.is_none_or(|event| bout.event == event)
            && self.of.fighter.is_none_or(|fighter| bout.fighters.contains(&fighter))
            && (self.method.is_none() || method == self.method)
            && (self.weight_class.is_none() || bout.weight_class == self.weight_class)
            && (self.promotion.is_none() || data.events.rows[bout.event].promotion == self.promotion)
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
