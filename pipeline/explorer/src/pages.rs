//! The pages: each a function of what it is asked, over what the API answers.

mod bout;
mod data;
mod event;
mod events;
mod fighter;
mod fighters;
mod form;
mod home;
mod leaders;
mod matchup;
mod metric;
mod metrics;
mod rounds;

use crate::ask::{Api, Ask, Refusal};
use crate::page::Page;

/// A page of the explorer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Route {
    /// For the access log.
    pub(crate) name: &'static str,
    pub(crate) path: &'static str,
    /// What its query may hold; anything else is passed over.
    pub(crate) query: &'static [&'static str],
    pub(crate) kind: Kind,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    Home,
    Events,
    Event,
    Fighters,
    Fighter,
    Form,
    Rounds,
    Matchup,
    Bout,
    Leaders,
    Metrics,
    Metric,
    Data,
}

const fn route(name: &'static str, path: &'static str, query: &'static [&'static str], kind: Kind) -> Route {
    Route { name, path, query, kind }
}

/// All pages.
pub(crate) const ROUTES: &[Route] = &[
    route("page_home", "/", &[], Kind::Home),
    route("page_events", "/events", &["status", "promotion", "from", "to", "cursor"], Kind::Events),
    route("page_event", "/events/{id}", &[], Kind::Event),
    route(
        "page_fighters",
        "/fighters",
        &["q", "active", "weight_class", "confidence", "cursor"],
        Kind::Fighters,
    ),
    route("page_fighter", "/fighters/{id}", &["as_of", "why"], Kind::Fighter),
    route("page_form", "/fighters/{id}/form", &["metric", "before", "after"], Kind::Form),
    route("page_rounds", "/fighters/{id}/rounds", &["as_of"], Kind::Rounds),
    route("page_matchup", "/matchups/{a}/{b}", &["as_of"], Kind::Matchup),
    route("page_bout", "/bouts/{id}", &[], Kind::Bout),
    route(
        "page_leaders",
        "/leaders",
        &["metric", "weight_class", "active", "min_confidence", "min_bouts", "as_of", "sort", "cursor"],
        Kind::Leaders,
    ),
    route("page_metrics", "/metrics", &[], Kind::Metrics),
    route("page_metric", "/metrics/{name}", &["weight_class", "as_of"], Kind::Metric),
    route("page_data", "/data", &["before"], Kind::Data),
];

impl Route {
    pub(crate) async fn page(&self, api: &Api, ask: &Ask) -> Result<Page, Refusal> {
        match self.kind {
            Kind::Home => home::page(api).await,
            Kind::Events => events::page(api, ask).await,
            Kind::Event => event::page(api, ask).await,
            Kind::Fighters => fighters::page(api, ask).await,
            Kind::Fighter => fighter::page(api, ask).await,
            Kind::Form => form::page(api, ask).await,
            Kind::Rounds => rounds::page(api, ask).await,
            Kind::Matchup => matchup::page(api, ask).await,
            Kind::Bout => bout::page(api, ask).await,
            Kind::Leaders => leaders::page(api, ask).await,
            Kind::Metrics => metrics::page(api).await,
            Kind::Metric => metric::page(api, ask).await,
            Kind::Data => data::page(api, ask).await,
        }
    }
}
