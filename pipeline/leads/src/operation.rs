//! The operations: their paths, their methods, their names.

use fdna_gateway::scope::KeyScope;
use hyper::Method;
use uuid::Uuid;

use crate::refusal::{Code, Refusal};

/// An operation, with the id of its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    ListLeads,
    CreateLead,
    GetLead(Uuid),
    ChangeLead(Uuid),
    DeleteLead(Uuid),
    ListProperties,
    ValuateProperty,
    PropertyValidity,
    Docs,
    Document,
    Health,
    Readiness,
}

/// Names for metrics and logs; a slot of a request is a place in this list.
pub(crate) const NAMES: [&str; 12] = [
    "list_leads",
    "create_lead",
    "get_lead",
    "change_lead",
    "delete_lead",
    "list_properties",
    "valuate_property",
    "property_validity",
    "docs",
    "openapi",
    "healthz",
    "readyz",
];

const LEADS: &str = "/v1/leads";

impl Operation {
    /// The operation of a request. HEAD is read as GET.
    ///
    /// # Errors
    /// 404, or 405 with the methods that there are.
    pub(crate) fn find_operation(method: &Method, path: &str) -> Result<Self, Refusal> {
        let method = if *method == Method::HEAD { &Method::GET } else { method };
        match (path, method) {
            (LEADS, &Method::GET) => Ok(Self::ListLeads),
            (LEADS, &Method::POST) => Ok(Self::CreateLead),
            (LEADS, _) => Err(not_allowed("GET, HEAD, POST")),
            ("/v1/properties", &Method::GET) => Ok(Self::ListProperties),
            ("/v1/properties/validity", &Method::GET) => Ok(Self::PropertyValidity),
            ("/v1/properties/valuate", &Method::POST) => Ok(Self::ValuateProperty),
            ("/v1/properties/valuate", _) => Err(not_allowed("POST")),
            ("/v1/properties" | "/v1/properties/validity", _) => Err(not_allowed("GET, HEAD")),
            ("/docs" | "/", &Method::GET) => Ok(Self::Docs),
            ("/openapi.json", &Method::GET) => Ok(Self::Document),
            ("/healthz", &Method::GET) => Ok(Self::Health),
            ("/readyz", &Method::GET) => Ok(Self::Readiness),
            ("/" | "/docs" | "/openapi.json" | "/healthz" | "/readyz", _) => Err(not_allowed("GET, HEAD")),
            _ => Self::of_lead(method, path),
        }
    }

    fn of_lead(method: &Method, path: &str) -> Result<Self, Refusal> {
        let id = path.strip_prefix(LEADS).and_then(|rest| rest.strip_prefix('/'));
        let id = id.filter(|id| !id.contains('/'));
        let Some(id) = id else {
            let message = "No such route: see /docs for every operation";
            return Err(Refusal::new(Code::NotFound, message));
        };
        if ![Method::GET, Method::PATCH, Method::DELETE].contains(method) {
            return Err(not_allowed("GET, HEAD, PATCH, DELETE"));
        }
        let id = read_id(id).ok_or_else(no_lead)?;
        Ok(match *method {
            Method::GET => Self::GetLead(id),
            Method::PATCH => Self::ChangeLead(id),
            _ => Self::DeleteLead(id),
        })
    }

    /// The scope that a key needs; `None` where any key may.
    pub(crate) fn required_scope(self) -> Option<KeyScope> {
        match self {
            Self::CreateLead => Some(KeyScope::Create),
            Self::ListLeads | Self::GetLead(_) => Some(KeyScope::Read),
            Self::ChangeLead(_) => Some(KeyScope::Write),
            Self::DeleteLead(_) => Some(KeyScope::Erase),
            _ => None,
        }
    }

    /// Its place in [`NAMES`].
    pub(crate) fn metric_slot(self) -> usize {
        match self {
            Self::ListLeads => 0,
            Self::CreateLead => 1,
            Self::GetLead(_) => 2,
            Self::ChangeLead(_) => 3,
            Self::DeleteLead(_) => 4,
            Self::ListProperties => 5,
            Self::ValuateProperty => 6,
            Self::PropertyValidity => 7,
            Self::Docs => 8,
            Self::Document => 9,
            Self::Health => 10,
            Self::Readiness => 11,
        }
    }

    /// The path for logs: an URL may have what a client should not have put there.
    pub(crate) fn logged_path(slot: Option<usize>) -> &'static str {
        match slot {
            Some(0 | 1) => "/v1/leads",
            Some(2..=4) => "/v1/leads/id",
            Some(5) => "/v1/properties",
            Some(6) => "/v1/properties/valuate",
            Some(7) => "/v1/properties/validity",
            Some(8) => "/docs",
            Some(9) => "/openapi.json",
            Some(10) => "/healthz",
            Some(11) => "/readyz",
            _ => "/***",
        }
    }
}

/// An id as it is written in answers, and in no other way.
fn read_id(text: &str) -> Option<Uuid> {
    let id: Uuid = text.parse().ok()?;
    (id.hyphenated().to_string() == text).then_some(id)
}

pub(crate) fn no_lead() -> Refusal {
    Refusal::new(Code::LeadNotFound, "No lead has this id")
}

fn not_allowed(allow: &'static str) -> Refusal {
    let message = format!("This path takes {allow}");
    Refusal { allow: Some(allow), ..Refusal::new(Code::MethodNotAllowed, message) }
}
