//! Published snapshots: which there are, and what one consists of. Read from the lake for each answer.

use fdna_api::{Failure, MetaExtra};

use super::page::{Page, list};
use super::{Asked, to_json};
use crate::respond::{Answer, digest};
use crate::swap::Served;

/// The newest first, or the one in the path.
pub(crate) async fn answer(served: &Served, asked: &Asked) -> Result<Answer, Failure> {
    let answer =
        if asked.ids.is_empty() { snapshots(served, asked).await } else { manifest(served, asked).await }?;
    Ok(Answer { digest: Some(digest(&answer.data)), ..answer })
}

async fn snapshots(served: &Served, asked: &Asked) -> Result<Answer, Failure> {
    let all = served.pins().list().await?;
    // A new one moves all pages by a row.
    let newest = all.first().map_or_else(String::new, |newest| newest.id.clone());
    let page = Page::among(&newest, asked, all.len())?;
    let mut snapshots = page.take(all);
    snapshots.iter_mut().for_each(|snapshot| snapshot.is_current = served.is_serving(&snapshot.id));
    let rows = snapshots.iter().map(to_json).collect::<Result<Vec<_>, _>>()?;
    Ok(asked.answer(list(&rows), page.meta()))
}

async fn manifest(served: &Served, asked: &Asked) -> Result<Answer, Failure> {
    let mut manifest = served.pins().manifest(asked.id()).await?;
    manifest.snapshot.is_current = served.is_serving(&manifest.snapshot.id);
    Ok(asked.answer(to_json(&manifest)?, MetaExtra::None {}))
}
