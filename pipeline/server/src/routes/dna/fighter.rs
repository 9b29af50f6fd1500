//! All metrics of a fighter as of a date.

use fdna_api::{Dna, Failure, MetaExtra};

use super::evidence::Evidence;
use super::reading::Pools;
use super::version::Version;
use crate::dataset::Whole;
use crate::respond::Answer;
use crate::routes::fighters::find;
use crate::routes::{Asked, to_json};
use crate::splice::Object;

pub(crate) fn fighter_dna(data: Whole<'_>, asked: &Asked) -> Result<Answer, Failure> {
    let version = Version::choose(data, find(&data, asked)?, asked.params.date("as_of"))?;
    let evidence = Evidence::of(&version);
    let with_bouts = asked.params.words("include").contains(&"provenance");
    let pools = Pools::new(data, version.day);
    let metric = |columns| version.metric(columns, &evidence, &pools, with_bouts);
    let dna = Dna { head: version.head(), metrics: data.derived.dna.metrics.iter().map(metric).collect() };
    let fighter = data.fighter_compact(version.fighter, asked.shown());
    let body = Object::new().field("fighter", &fighter).and(&to_json(&dna)?);
    Ok(asked.answer(body.finish(), MetaExtra::None {}))
}
