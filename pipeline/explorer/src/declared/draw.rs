//! From the answers to a page: its texts, links and sections.

use serde_json::Value;

use super::table::RowMetric;
use super::template::{Place, Template};
use super::view::View;
use super::{DeclaredLink, DeclaredPage, DeclaredSection};
use crate::ask::{Api, Ask, Refusal};
use crate::page::{Link, Page, Portrait, Section};
use crate::pages;

/// Links whose texts and addresses have no value missing.
fn links(links: &[DeclaredLink], place: Place<'_>) -> Vec<Link> {
    let link = |link: &DeclaredLink| {
        let (text, href) = (link.text.text(place)?, link.href.text(place)?);
        link.condition.holds(place).then_some(Link { text, href, is_here: link.is_here })
    };
    links.iter().filter_map(link).collect()
}

fn texts(templates: &[Template], place: Place<'_>) -> impl Iterator<Item = String> {
    templates.iter().filter_map(move |line| line.text(place))
}

impl DeclaredPage {
    pub(crate) async fn page(&'static self, api: &Api, ask: &Ask) -> Result<Page, Refusal> {
        let answers = self.ask_operations(api, ask).await?;
        let view = View::new(answers.place())?;
        let place = view.place();
        let mut sections = Vec::new();
        for section in &self.sections {
            sections.extend(section.draw(&view)?);
        }
        let facts = self.facts.iter().filter(|fact| fact.condition.holds(place));
        let fact = |fact: &super::DeclaredColumn| {
            Some((fact.label.text(place)?, fact.cell(&view, place, &RowMetric::default())))
        };
        Ok(Page {
            title: self.title.text(place).unwrap_or_default(),
            place: &self.place,
            lead: texts(&self.lead, place).collect(),
            links: links(&self.links, place),
            portrait: self.portrait.as_ref().map(|fighter| Portrait::of(&fighter.value(place))),
            facts: facts.filter_map(fact).collect(),
            forms: self.form.iter().map(|form| form.draw(&view)).collect(),
            sections,
        })
    }
}

impl DeclaredSection {
    fn draw(&'static self, view: &View<'_>) -> Result<Vec<Section>, Refusal> {
        let page = view.place();
        if !self.condition.holds(page) {
            return Ok(Vec::new());
        }
        if let Some(draw) = self.drawn.as_deref().and_then(pages::drawn) {
            return draw(view);
        }
        let rows = self.each.as_ref().map_or_else(|| vec![page.row], |each| each.rows(page));
        let sections = rows.into_iter().map(|row| self.draw_one(view, Place { row, ..page }));
        let is_empty = |section: &Section| section.tables.iter().any(|table| table.rows.is_empty());
        Ok(sections.filter(|section| self.each.is_none() || !is_empty(section)).collect())
    }

    fn draw_one(&'static self, view: &View<'_>, place: Place<'_>) -> Section {
        let text =
            |text: &Option<Template>| text.as_ref().and_then(|text| text.text(place)).unwrap_or_default();
        let notes = self.notes.as_ref().map(|notes| notes.value(place));
        let notes = notes.iter().filter_map(|notes| notes.as_array()).flatten().filter_map(Value::as_str);
        let mut section = Section {
            is_wide: self.is_wide,
            links: links(&self.links, place),
            ..Section::new(text(&self.id), text(&self.heading))
        };
        section.text.extend(texts(&self.lines, place).chain(notes.map(str::to_owned)));
        section.tables.extend(self.measures.as_ref().map(|measures| measures.draw(view)));
        match &self.table {
            Some(table) => table.add_to(section, view, place),
            None => section,
        }
    }
}
