//! The operations: their paths, their methods, their names.

use fdna_gateway::scope::KeyScope;
use hyper::Method;
use hyper::header::{ALLOW, HeaderValue};
use uuid::Uuid;

use crate::refusal::{Code, Refusal};
use crate::tables::SNAPSHOTS;

/// An operation of the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    ListLeads,
    CreateLead,
    GetLead,
    ChangeLead,
    DeleteLead,
    CreateLeads,
    ListChanges,
    StreamChanges,
    ListProperties,
    ValuateProperty,
    PropertyValidity,
    ListTables,
    DownloadTable,
    Docs,
    ValidityPage,
    Document,
    Health,
    Readiness,
}

/// An operation, its name in metrics and logs, its method, its path, and the scope that a key needs.
type OperationEntry = (Operation, &'static str, Method, &'static str, Option<KeyScope>);

/// Every operation. A slot of a request is a place in this list.
const OPERATIONS: [OperationEntry; 18] = [
    (Operation::ListLeads, "list_leads", Method::GET, "/v1/leads", Some(KeyScope::Read)),
    (Operation::CreateLead, "create_lead", Method::POST, "/v1/leads", Some(KeyScope::Create)),
    (Operation::GetLead, "get_lead", Method::GET, LEAD, Some(KeyScope::Read)),
    (Operation::ChangeLead, "change_lead", Method::PATCH, LEAD, Some(KeyScope::Write)),
    (Operation::DeleteLead, "delete_lead", Method::DELETE, LEAD, Some(KeyScope::Erase)),
    (Operation::CreateLeads, "create_leads", Method::POST, "/v1/leads:batch", Some(KeyScope::Create)),
    (Operation::ListChanges, "lead_changes", Method::GET, CHANGES, Some(KeyScope::Read)),
    (
        Operation::StreamChanges,
        "lead_change_stream",
        Method::GET,
        "/v1/leads/changes/stream",
        Some(KeyScope::Read),
    ),
    (Operation::ListProperties, "list_properties", Method::GET, "/v1/properties", None),
    (Operation::ValuateProperty, "valuate_property", Method::POST, "/v1/properties/valuate", None),
    (Operation::PropertyValidity, "property_validity", Method::GET, "/v1/properties/validity", None),
    (Operation::ListTables, "property_tables", Method::GET, TABLES, None),
    (Operation::DownloadTable, "property_table_file", Method::GET, TABLE_FILE, None),
    (Operation::Docs, "docs", Method::GET, "/docs", None),
    (Operation::ValidityPage, "validity_page", Method::GET, "/validity", None),
    (Operation::Document, "openapi", Method::GET, "/openapi.json", None),
    (Operation::Health, "healthz", Method::GET, "/healthz", None),
    (Operation::Readiness, "readyz", Method::GET, "/readyz", None),
];

/// The path of one lead, as logs have it: an URL may have what a client should not have put there.
const LEAD: &str = "/v1/leads/id";

const CHANGES: &str = "/v1/leads/changes";

/// The tables of a snapshot, and the file of one.
pub(crate) const TABLES: &str = "/v1/properties/snapshots/{id}/tables";
pub(crate) const TABLE_FILE: &str = "/v1/properties/snapshots/{id}/tables/{file}";

/// Names for metrics, by slot.
pub(crate) fn operation_names() -> [&'static str; OPERATIONS.len()] {
    OPERATIONS.map(|(_, name, ..)| name)
}

/// The operation that a request asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RequestedOperation {
    pub(crate) operation: Operation,
    /// Its place among all operations.
    pub(crate) slot: usize,
    /// Of the path; nil where the path has none.
    pub(crate) lead: Uuid,
    /// The scope that a key needs; `None` where any key may.
    pub(crate) scope: Option<KeyScope>,
}

impl RequestedOperation {
    /// The operation of a request. HEAD is read as GET.
    ///
    /// # Errors
    /// 404, or 405 with the methods that there are.
    pub(crate) fn find_operation(method: &Method, path: &str) -> Result<Self, Refusal> {
        let method = if *method == Method::HEAD { &Method::GET } else { method };
        let id = path.strip_prefix("/v1/leads/").filter(|id| !id.contains('/') && path != CHANGES);
        let path = match path {
            _ if id.is_some() => LEAD,
            "/" => "/docs",
            path => table_template(path).unwrap_or(path),
        };
        let of_path = || OPERATIONS.iter().enumerate().filter(|(_, entry)| entry.3 == path);
        let Some((slot, (operation, .., scope))) = of_path().find(|(_, entry)| entry.2 == *method) else {
            let methods: Vec<&str> = of_path().flat_map(|(_, entry)| written_methods(&entry.2)).collect();
            return Err(if methods.is_empty() { no_route() } else { not_allowed(&methods.join(", ")) });
        };
        let lead = id.map_or(Ok(Uuid::nil()), |id| read_id(id).ok_or_else(no_lead))?;
        Ok(Self { operation: *operation, slot, lead, scope: *scope })
    }
}

/// The template of a path of tables.
fn table_template(path: &str) -> Option<&'static str> {
    let rest = path.strip_prefix(SNAPSHOTS)?.strip_prefix('/')?;
    match rest.split('/').collect::<Vec<_>>()[..] {
        [_, "tables"] => Some(TABLES),
        [_, "tables", _] => Some(TABLE_FILE),
        _ => None,
    }
}

/// The path for logs of the operation in a slot.
pub(crate) fn logged_path(slot: Option<usize>) -> &'static str {
    slot.and_then(|slot| OPERATIONS.get(slot)).map_or("/***", |(_, _, _, path, _)| path)
}

/// A method as `Allow` lists it: whoever may GET may HEAD.
fn written_methods(method: &Method) -> impl Iterator<Item = &str> {
    std::iter::once(method.as_str()).chain((*method == Method::GET).then_some("HEAD"))
}

/// An id as it is written in answers, and in no other way.
fn read_id(text: &str) -> Option<Uuid> {
    let id: Uuid = text.parse().ok()?;
    (id.hyphenated().to_string() == text).then_some(id)
}

pub(crate) fn no_lead() -> Refusal {
    Refusal::new(Code::LeadNotFound, "No lead has this id")
}

fn no_route() -> Refusal {
    Refusal::new(Code::NotFound, "No such route: see /docs for every operation")
}

fn not_allowed(allow: &str) -> Refusal {
    let message = format!("This path takes {allow}");
    let mut refusal = Refusal::new(Code::MethodNotAllowed, message);
    refusal.headers.extend(HeaderValue::from_str(allow).map(|allow| (ALLOW, allow)));
    refusal
}
