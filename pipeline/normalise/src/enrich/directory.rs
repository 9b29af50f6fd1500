//! Whom a name, an id or a text means: one index over fighters, events and bouts, for everything that is told
//! about them.

use std::collections::HashMap;

use fdna_model::fold_name;
use uuid::Uuid;

use super::rankings::Who;
use crate::NormaliseError;
use crate::tables::TableSet;

/// Fighters, events and bouts by what others call them.
#[expect(dead_code, reason = "what is told comes next")]
pub(crate) struct Directory {
    names: HashMap<String, Vec<Uuid>>,
    /// Ranked names: with class and time.
    pub(super) who: Who,
}

/// Whom a name means.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Match {
    pub(crate) id: Uuid,
    pub(crate) rule: &'static str,
    /// 0 to 1.
    pub(crate) score: f64,
}

impl Directory {
    pub(crate) fn new(tables: &TableSet) -> Result<Self, NormaliseError> {
        let fighters = tables.reader("fighters")?;
        let mut names: HashMap<String, Vec<Uuid>> = HashMap::new();
        for (id, name) in fighters.ids("fighter_id")?.into_iter().zip(fighters.texts("name")?) {
            names.entry(fold_name(name)).or_default().push(id);
        }
        Ok(Self { names, who: Who::new(tables)? })
    }

    /// The one fighter of this name; `None` for nobody or several.
    pub(crate) fn fighter(&self, name: &str) -> Option<Match> {
        match self.names.get(&fold_name(name)).map(Vec::as_slice) {
            Some([id]) => Some(Match { id: *id, rule: "name", score: 1.0 }),
            _ => None,
        }
    }
}
