//! Context of a bout: DNA, rankings, and publications about it.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use fdna_schemas::tables::{
    ArticlesReader, DnaVersionsReader, MentionsReader, RankingsReader, VideosReader, WireReader,
};
use uuid::Uuid;

use super::ReadError;
use super::results::BoutResults;
use crate::history::{DnaVersion, LedgerHistory, MediaItem, MediaItems, RankingList};

impl LedgerHistory {
    /// A version is known since its fighter's last bout was.
    pub(super) fn read_dna(
        &mut self,
        r: DnaVersionsReader<'_>,
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
        let versions = r.fighter_id()?.into_iter().zip(r.last_bout_date()?);
        for ((fighter, last), valid_from) in versions.zip(r.valid_from()?) {
            let Some(known_since) = of_day.get(&(fighter, last)).copied() else { continue };
            self.dna.entry(fighter).or_default().push(DnaVersion { valid_from, known_since });
        }
        Ok(())
    }

    pub(super) fn read_rankings(&mut self, r: RankingsReader<'_>) -> Result<(), ReadError> {
        let (days, captured) = (r.snapshot_date()?, r.captured_at()?);
        let (divisions, ranks) = (r.division()?, r.rank()?);
        let mut lists: BTreeMap<NaiveDate, RankingList> = BTreeMap::new();
        for (row, fighter) in r.fighter_id()?.into_iter().enumerate() {
            let known_since = captured[row];
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
        wire: WireReader<'_>,
        articles: ArticlesReader<'_>,
        videos: VideosReader<'_>,
        mentions: MentionsReader<'_>,
    ) -> Result<(), ReadError> {
        let times = wire.published_at()?.into_iter().zip(wire.first_seen_at()?);
        let wire_ids = wire.wire_id()?.into_iter().map(|id| id.to_string());
        let mut of_wire = by_id(wire_ids.zip(times.map(captured_item)));
        let times = videos.published_at()?.into_iter().zip(videos.first_seen_at()?);
        let video_ids = videos.video_id()?.into_iter().map(str::to_owned);
        let mut of_videos = by_id(video_ids.zip(times.map(captured_item)));
        let mut of_articles = published_articles(articles)?;
        let (kinds, items) = (mentions.item_kind()?, mentions.item_id()?);
        let named = mentions.entity_kind()?.into_iter().zip(mentions.entity_id()?);
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

/// Articles that are published: a draft, and what has no day on which it appears, nobody sees.
fn published_articles(r: ArticlesReader<'_>) -> Result<RowsById, ReadError> {
    let times = r.published_at()?.into_iter().zip(r.first_seen_at()?);
    let is_out = r.status()?.into_iter().map(|status| status == "published");
    let slugs = r.slug()?.into_iter().map(str::to_owned);
    let items =
        slugs.zip(times).zip(is_out).filter(|((_, (published, _)), is_out)| *is_out && published.is_some());
    Ok(by_id(items.map(|((slug, times), _)| (slug, captured_item(times)))))
}

/// A media item: its stated time of publication, if any, and the time of its first capture.
fn captured_item((published, seen): (Option<DateTime<Utc>>, DateTime<Utc>)) -> MediaItem {
    let published_at = published.unwrap_or(seen);
    MediaItem { published_at, known_since: seen.max(published_at) }
}

fn by_id(items: impl Iterator<Item = (String, MediaItem)>) -> RowsById {
    let (places, items): (Vec<_>, Vec<_>) =
        items.enumerate().map(|(place, (id, item))| ((id, place), item)).unzip();
    (MediaItems { items, ..MediaItems::default() }, places.into_iter().collect())
}
