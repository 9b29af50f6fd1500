//! Changes since an instant, in fields and in words.

use fdna_api::operations::changes;
use fdna_api::operations::parameters::LIMIT;
use fdna_api::{Change, Failure, MetaExtra};
use uuid::Uuid;

use super::{OperationRequest, cursor};
use crate::Dataset;
use crate::dataset::CompleteDataset;
use crate::dataset::columns::instant;
use crate::operations::OperationResponse;

/// Oldest first, those of the asked instant among them: several may be of one, and none is to be missed.
pub(crate) fn changes(
    data: CompleteDataset<'_>,
    request: &OperationRequest,
) -> Result<OperationResponse, Failure> {
    let (since, limit) = (request.params.get(changes::SINCE), request.params.get(LIMIT));
    let changes = &data.derived.changes;
    let start = cursor::start(data.snapshot_id(), request)?.unwrap_or(0);
    let all = changes.since(since);
    let (total, page): (usize, Vec<usize>) = match request.params.get(changes::IDS) {
        [] => (all.len(), all.skip(start).take(limit).collect()),
        ids => {
            let places = changes.of(all, ids);
            (places.len(), places.into_iter().skip(start).take(limit).collect())
        }
    };
    let items: Vec<_> =
        page.into_iter().map(|place| describe_change(data.dataset(), changes.at(place))).collect();
    let next = start + items.len();
    let meta = MetaExtra::Changes {
        count: items.len(),
        total,
        since: since.map(instant),
        limit,
        next_cursor: (next < total).then(|| cursor::next(data.snapshot_id(), request, next)),
    };
    request.answer(&items, meta)
}

/// Names of the entities of a snapshot, also by ids that were merged into others.
pub(crate) trait EntityNames {
    fn event(&self, id: Uuid) -> Option<&str>;
    fn fighter(&self, id: Uuid) -> Option<&str>;
    /// Of its event, and of both fighters.
    fn bout(&self, id: Uuid) -> Option<[&str; 3]>;
}

impl EntityNames for Dataset {
    fn event(&self, id: Uuid) -> Option<&str> {
        self.events.ids.row(id).map(|row| &*self.events.rows[row].name)
    }

    fn fighter(&self, id: Uuid) -> Option<&str> {
        self.fighters.ids.row(id).map(|row| &*self.fighters.rows[row].name)
    }

    fn bout(&self, id: Uuid) -> Option<[&str; 3]> {
        let bout = &self.bouts.rows[self.bouts.ids.row(id)?];
        let [a, b] = bout.fighters.map(|fighter| &*self.fighters.rows[fighter].name);
        Some([&self.events.rows[bout.event].name, a, b])
    }
}

/// The change with the name of what it is about, and what happened.
pub(crate) fn describe_change<'a>(names: &impl EntityNames, change: Change<'a>) -> Change<'a> {
    let name = entity_name(names, change.kind, change.entity_id.0);
    let summary = summarise_change(names, &change, name.as_deref().unwrap_or("an entity that is gone"));
    Change { name, summary, ..change }
}

fn entity_name(names: &impl EntityNames, kind: &str, id: Uuid) -> Option<String> {
    match kind {
        "event" => names.event(id).map(str::to_owned),
        "fighter" => names.fighter(id).map(str::to_owned),
        _ => names.bout(id).map(|[event, a, b]| format!("{a} vs. {b} ({event})")),
    }
}

fn summarise_change(names: &impl EntityNames, change: &Change<'_>, name: &str) -> String {
    let kind = change.kind.replace('_', " ");
    let (old, new) =
        (change.old.map(|old| describe_value(names, old)), change.new.map(|new| describe_value(names, new)));
    let Some(field) = change.field else {
        let of_source = change.source.map(|source| format!(" of {source}")).unwrap_or_default();
        return match change.change {
            "added" => format!("{name}: new {kind}{of_source}"),
            "linked" => {
                format!("{name}: tied to {kind} {}{of_source}", change.source_id.unwrap_or_default())
            }
            _ => format!("{name}: merged with the {kind} {}", change.old.unwrap_or_default()),
        };
    };
    let part = change.part.map(|part| format!(", {}", describe_value(names, part))).unwrap_or_default();
    let field = field.replace('_', " ");
    let what = match kind.as_str() {
        "event" | "fighter" | "bout" => field,
        of_bout => format!("{of_bout}{part}, {field}"),
    };
    match (old, new) {
        (Some(old), Some(new)) => format!("{name}: {what} {old} → {new}"),
        (None, Some(new)) => format!("{name}: {what} {new}, not known before"),
        (old, None) => format!("{name}: {what} withdrawn, {} before", old.as_deref().unwrap_or("not known")),
    }
}

/// An id of a fighter as his name, anything else as it is.
fn describe_value(names: &impl EntityNames, value: &str) -> String {
    let name = value.parse().ok().and_then(|id| names.fighter(id));
    name.unwrap_or(value).to_owned()
}
