//! What stands around a bout: DNA, rankings, and what is published about it.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use fdna_schemas::TableReader;
use uuid::Uuid;

use super::ReadError;
use super::results::BoutResults;
use crate::history::{DnaVersion, LedgerHistory, MediaItem, MediaItems, RankingList};

impl LedgerHistory {
    /// A version is known since its fighter's last bout was.
    pub(super) fn read_dna(
        &mut self,
        r: &TableReader<'_>,
        bouts: &[BoutResults],
        since: &BTreeMap<Uuid, DateTime<Utc>>,
    ) -> Result<(), ReadError> {
        let mut of_day: BTreeMap<(Uuid, NaiveDate), DateTime<Utc>> = BTreeMap::new();
        for (bout, since) in bouts.iter().filter_map(|bout| Some((bout, *since.get(&bout.id)?))) {
            for fighter in bout.fighters {
                let known = of_day.entry((fighter, bout.day)).or_insert(since);
                *known = since.max(*known);
            }
        }
        let (fighters, last) = (r.ids("fighter_id")?, r.dates("last_bout_date")?);
        for (row, valid_from) in r.days("valid_from")?.into_iter().enumerate() {
            let known = last[row].and_then(|day| of_day.get(&(fighters[row], day)));
            let Some(known_since) = known.copied() else { continue };
            self.dna.entry(fighters[row]).or_default().push(DnaVersion { valid_from, known_since });
        }
        Ok(())
    }

    pub(super) fn read_rankings(&mut self, r: &TableReader<'_>) -> Result<(), ReadError> {
        let (days, captured) = (r.days("snapshot_date")?, r.instants("captured_at")?);
        let (divisions, ranks) = (r.texts("division")?, r.counts("rank")?);
        let mut lists: BTreeMap<NaiveDate, RankingList> = BTreeMap::new();
        for (row, fighter) in r.uuids("fighter_id")?.into_iter().enumerate() {
            let known_since = captured[row].unwrap_or_default();
            let new = || RankingList { on: days[row], known_since, ranks: BTreeMap::new() };
            let list = lists.entry(days[row]).or_insert_with(new);
            list.known_since = list.known_since.max(known_since);
            if let Some(fighter) = fighter {
                list.ranks.insert((fighter, divisions[row].to_owned()), ranks[row]);
            }
        }
        self.rankings = lists.into_values().collect();
        Ok(())
    }

    pub(super) fn read_items(
        &mut self,
        [wire, articles, videos]: [&TableReader<'_>; 3],
        mentions: &TableReader<'_>,
    ) -> Result<(), ReadError> {
        let (mut of_wire, mut of_articles, mut of_videos) =
            (captured(wire, "wire_id")?, published(articles)?, captured(videos, "video_id")?);
        let (kinds, items) = (mentions.texts("item_kind")?, mentions.texts("item_id")?);
        let named = mentions.texts("entity_kind")?.into_iter().zip(mentions.ids("entity_id")?);
        for (row, (entity_kind, entity)) in named.enumerate() {
            let of_kind = match kinds[row] {
                "wire" => &mut of_wire,
                "article" => &mut of_articles,
                "video" => &mut of_videos,
                _ => continue,
            };
            if let Some(place) = of_kind.1.get(items[row]).filter(|_| entity_kind != "event") {
                of_kind.0.naming.entry(entity).or_default().push(*place);
            }
        }
        (self.wire, self.articles, self.videos) = (of_wire.0, of_articles.0, of_videos.0);
        Ok(())
    }
}

/// Items, and their places by id.
type RowsById = (MediaItems, BTreeMap<String, usize>);

/// Items that say when they were published, and when they were first captured.
fn captured(r: &TableReader<'_>, id: &str) -> Result<RowsById, ReadError> {
    let times = r.instants("published_at")?.into_iter().zip(r.instants("first_seen_at")?);
    Ok(by_id(r.texts(id)?.into_iter().zip(times.map(|(published, seen)| item(published, seen)))))
}

/// Articles that are published: a draft is none yet.
fn published(r: &TableReader<'_>) -> Result<RowsById, ReadError> {
    let times = r.instants("published_at")?.into_iter().zip(r.instants("first_seen_at")?);
    // A draft, and what has no day on which it appears, nobody sees.
    let is_out = r.texts("status")?.into_iter().map(|status| status == "published");
    let items = times.zip(is_out).map(|((published, seen), is_out)| {
        published.filter(|_| is_out).and_then(|published| item(Some(published), seen))
    });
    Ok(by_id(r.texts("slug")?.into_iter().zip(items)))
}

fn item(published: Option<DateTime<Utc>>, seen: Option<DateTime<Utc>>) -> Option<MediaItem> {
    let published_at = published.or(seen)?;
    Some(MediaItem { published_at, known_since: seen.map_or(published_at, |seen| seen.max(published_at)) })
}

fn by_id<'a>(items: impl Iterator<Item = (&'a str, Option<MediaItem>)>) -> RowsById {
    let (mut all, mut places) = (MediaItems::default(), BTreeMap::new());
    for (id, item) in items.filter_map(|(id, item)| Some((id, item?))) {
        places.insert(id.to_owned(), all.items.len());
        all.items.push(item);
    }
    (all, places)
}
