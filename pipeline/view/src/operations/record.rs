//! A fighter's record: the one that is true on the day, as stated, and as counted.

use fdna_api::operations::parameters::AS_OF;
use fdna_api::{Failure, FighterRecord, MetaExtra, RecordOfFighter};

use super::OperationRequest;
use super::entity_lookup::fighter_row;
use crate::Dataset;
use crate::operations::OperationResponse;

pub(crate) fn fighter_record(
    data: &Dataset,
    request: &OperationRequest,
) -> Result<OperationResponse, Failure> {
    let (row, as_of) = (fighter_row(data, request)?, request.params.get(AS_OF));
    let career = &data.fighters.rows[row].career;
    let record = FighterRecord {
        as_of: as_of.map(|day| day.to_string()),
        record: data.current_record(row, as_of),
        by_promotion: data.records_by_promotion(row, as_of),
        record_stated: career.record(as_of),
        record_counted: data.counted_record(row, as_of),
        career_snapshot: career.snapshot(as_of),
    };
    let fighter = data.fighter_compact(row, request.shown());
    request.answer(&RecordOfFighter { fighter, record }, MetaExtra::None {})
}
