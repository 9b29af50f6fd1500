//! From the answers to a page: its texts, links and sections.

use serde_json::Value;

use super::table::RowMetric;
use super::template::{TemplateScope, TextTemplate};
use super::view::PageView;
use super::{DeclaredLink, DeclaredPage, DeclaredSection};
use crate::ask::{ApiClient, Ask, Refusal};
use crate::page::{Link, Page, Portrait, Section};
use crate::pages;

/// Links whose texts and addresses have no value missing.
fn fill_links(links: &[DeclaredLink], scope: TemplateScope<'_>) -> Vec<Link> {
    let link = |link: &DeclaredLink| {
        let (text, href) = (link.text.fill(scope)?, link.href.fill(scope)?);
        link.condition.is_met(scope).then_some(Link { text, href, is_here: link.is_here })
    };
    links.iter().filter_map(link).collect()
}

fn fill_texts(templates: &[TextTemplate], scope: TemplateScope<'_>) -> impl Iterator<Item = String> {
    templates.iter().filter_map(move |line| line.fill(scope))
}

impl DeclaredPage {
    pub(crate) async fn page(&'static self, api: &ApiClient, ask: &Ask) -> Result<Page, Refusal> {
        let answers = self.ask_operations(api, ask).await?;
        let view = PageView::new(answers.scope())?;
        let scope = view.scope();
        let mut sections = Vec::new();
        for section in &self.sections {
            sections.extend(section.draw_sections(&view)?);
        }
        let facts = self.facts.iter().filter(|fact| fact.condition.is_met(scope));
        let fact = |fact: &super::DeclaredColumn| {
            Some((fact.label.fill(scope)?, fact.draw_cell(&view, scope, &RowMetric::default())))
        };
        Ok(Page {
            title: self.title.fill(scope).unwrap_or_default(),
            place: &self.menu,
            lead: fill_texts(&self.lead, scope).collect(),
            links: fill_links(&self.links, scope),
            portrait: self.portrait.as_ref().map(|fighter| Portrait::of(&fighter.evaluate(scope))),
            facts: facts.filter_map(fact).collect(),
            forms: self.form.iter().map(|form| form.draw_form(&view)).collect(),
            sections,
        })
    }
}

impl DeclaredSection {
    fn draw_sections(&'static self, view: &PageView<'_>) -> Result<Vec<Section>, Refusal> {
        let page = view.scope();
        if !self.condition.is_met(page) {
            return Ok(Vec::new());
        }
        if let Some(draw) = self.drawn.as_deref().and_then(pages::find_sections) {
            return draw(view);
        }
        let rows = self.each.as_ref().map_or_else(|| vec![page.row], |each| each.evaluate_rows(page));
        let sections = rows.into_iter().map(|row| self.draw_one(view, TemplateScope { row, ..page }));
        let is_empty = |section: &Section| section.tables.iter().any(|table| table.rows.is_empty());
        Ok(sections.filter(|section| self.each.is_none() || !is_empty(section)).collect())
    }

    fn draw_one(&'static self, view: &PageView<'_>, scope: TemplateScope<'_>) -> Section {
        let text =
            |text: &Option<TextTemplate>| text.as_ref().and_then(|text| text.fill(scope)).unwrap_or_default();
        let notes = self.notes.as_ref().map(|notes| notes.evaluate(scope));
        let notes = notes.iter().filter_map(|notes| notes.as_array()).flatten().filter_map(Value::as_str);
        let mut section = Section {
            is_wide: self.is_wide,
            is_folded: self.is_folded,
            links: fill_links(&self.links, scope),
            ..Section::new(text(&self.id), text(&self.heading))
        };
        section.text.extend(fill_texts(&self.lines, scope).chain(notes.map(str::to_owned)));
        section.tables.extend(self.measures.as_ref().map(|measures| measures.draw_measures(view)));
        match &self.table {
            Some(table) => table.add_to(section, view, scope),
            None => section,
        }
    }
}
