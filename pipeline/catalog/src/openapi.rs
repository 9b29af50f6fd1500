//! The OpenAPI 3.1 document of the catalog, from its routes.

use fdna_api::operations::changes::{LAST_EVENT_ID, STREAM};
use fdna_api::operations::snapshots::{TABLE_FILE, TABLES};
use fdna_api::{
    CATALOG_API, ErrorCode, Parameter, PublishedTable, change_stream_schema, docs, parameter_schema,
    skeleton, table_file_schema, tidy,
};
use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::{
    CHANGES, CHANGES_STREAM, CatalogHealth, CatalogListing, CatalogRoute, PathParameter, RouteCatalog,
    RouteKind, Sport, TablesPage, schema,
};

/// Errors of every route.
const COMMON: [ErrorCode; 6] = [
    ErrorCode::InvalidParameter,
    ErrorCode::InvalidRequest,
    ErrorCode::UriTooLong,
    ErrorCode::HeadersTooLarge,
    ErrorCode::Internal,
    ErrorCode::Overloaded,
];

/// The chapters before the reference.
const GUIDE: &str = include_str!("guide.md");

/// Tag of the pages about the catalog itself.
const CATALOG_TAG: &str = "Catalog";

/// The document.
#[must_use]
pub fn document(catalog: &RouteCatalog) -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let settings = settings.with(|s| s.definitions_path = "/components/schemas".into());
    let mut generator = settings.into_generator();
    let mut paths = Map::new();
    paths.insert("/sports".to_owned(), json!({"get": listing(catalog, &mut generator)}));
    paths.insert("/health".to_owned(), json!({"get": health(&mut generator)}));
    paths.extend(changes(catalog).map(|get| (CHANGES.to_owned(), json!({"get": get}))));
    paths.extend(changes_stream(catalog).map(|get| (CHANGES_STREAM.to_owned(), json!({"get": get}))));
    paths.extend(
        TablesPage::ALL
            .map(|page| (page.template().to_owned(), json!({"get": tables(page, &mut generator)}))),
    );
    for sport in &catalog.sports {
        paths.extend(sport.routes().map(|route| (braced(route.path), json!({"get": get(sport, route)}))));
    }
    let groups = catalog.sports.iter().flat_map(|sport| {
        let about = format!("Days are those of {}.", sport.day_zone);
        sport
            .groups
            .iter()
            .map(move |group| json!({"name": tag(sport.name, group.name), "description": about}))
    });
    let about = json!({"name": CATALOG_TAG, "description": "What the catalog has, and how it stands."});
    let mut document = skeleton(include_str!("document.json"));
    document["info"]["description"] = include_str!("about.md").into();
    document["info"]["version"] = CATALOG_API.version.into();
    document["tags"] = std::iter::once(about).chain(groups).collect();
    document["paths"] = paths.into();
    let schemas = &mut document["components"]["schemas"];
    let codes = catalog.codes().into_iter().map(ErrorCode::name);
    schemas["Error"]["properties"]["error"]["properties"]["code"]["enum"] = codes.collect();
    for (name, schema) in generator.take_definitions(true) {
        schemas[name] = schema;
    }
    tidy(&mut document);
    document
}

impl RouteCatalog {
    /// The document as a page.
    #[must_use]
    pub fn docs(&self) -> String {
        let document = document(self);
        let pages = ["/sports", "/health", CHANGES, CHANGES_STREAM]
            .into_iter()
            .chain(TablesPage::ALL.map(TablesPage::template));
        let paths: Vec<String> =
            pages.map(str::to_owned).chain(self.routes().map(|r| braced(r.path))).collect();
        let paths = paths.iter().map(String::as_str).collect();
        docs::DocsPage { document: &document, paths, guide: GUIDE, codes: self.codes() }.html()
    }

    /// Errors that a request can be answered with, in the order of all codes.
    fn codes(&self) -> Vec<ErrorCode> {
        let beside = [ErrorCode::NotFound, ErrorCode::MethodNotAllowed, ErrorCode::SnapshotNotAvailable];
        let beside = beside.iter().chain(TABLE_FILE.errors).chain(STREAM.errors).copied();
        let of_routes = self.routes().flat_map(without_data);
        let given: Vec<ErrorCode> = COMMON.into_iter().chain(beside).chain(of_routes).collect();
        ErrorCode::ALL.iter().copied().filter(|code| given.contains(code)).collect()
    }
}

/// What a route answers where it has no data.
fn without_data(route: &CatalogRoute) -> Vec<ErrorCode> {
    match route.kind {
        RouteKind::None(code) => vec![code],
        RouteKind::Stated | RouteKind::Derived => {
            vec![ErrorCode::SourceNotLicensed, ErrorCode::SportNotPublished]
        }
    }
}

/// A template as OpenAPI writes it.
fn braced(path: &str) -> String {
    let part = |part: &str| match part.strip_prefix(':') {
        Some(name) => format!("{{{name}}}"),
        None => part.to_owned(),
    };
    path.split('/').map(part).collect::<Vec<_>>().join("/")
}

fn get(sport: &Sport, route: &CatalogRoute) -> Value {
    let examples = examples(route);
    let in_path =
        route.path_parameters.iter().zip(&examples).map(|(parameter, example)| path(parameter, example));
    let parameters: Vec<Value> = in_path.chain(route.parameters.iter().map(|p| query(route, p))).collect();
    let coverage = route.coverage.map_or_else(String::new, |coverage| format!("\n\nCoverage: {coverage}"));
    let sources = match route.sources.as_slice() {
        [] => String::new(),
        ["*"] => "\n\nSources: all of the sport.".to_owned(),
        sources => format!("\n\nSources: {}.", sources.join(", ")),
    };
    let mut responses = responses(COMMON.into_iter().chain([ErrorCode::NotFound]).chain(without_data(route)));
    responses.extend(schema::success(route).map(|success| ("200".to_owned(), success)));
    json!({
        "operationId": route.operation,
        "summary": route.path,
        "description": format!("{}{coverage}{sources}", route.meaning),
        "tags": [tag(sport.name, route.group)],
        "parameters": parameters,
        "responses": responses,
        "x-minimum-plan": if route.in_narrow_listing { "narrow" } else { "full" },
        "x-kind": route.kind.name(),
    })
}

/// Routes of a group stand together.
fn tag(sport: &str, group: &str) -> String {
    format!("{sport}: {group}")
}

/// The values of its example path, where it has one.
fn examples(route: &CatalogRoute) -> Vec<Option<String>> {
    let of = |example: &str| {
        let parts = route.path.split('/').zip(example.split('/'));
        parts.filter(|(name, _)| name.starts_with(':')).map(|(_, part)| Some(part.to_owned())).collect()
    };
    route.example.map_or_else(|| vec![None; route.path_parameters.len()], of)
}

fn path(parameter: &PathParameter, example: &Option<String>) -> Value {
    let schema = match parameter.kind {
        "season" => json!({"type": "string", "pattern": "^[0-9]{4}(-[0-9]{2})?$"}),
        _ => json!({"type": "string", "minLength": 1, "maxLength": 100}),
    };
    let mut path = json!({
        "name": parameter.name, "in": "path", "required": true, "description": parameter.about, "schema": schema,
    });
    if let Some(example) = example {
        path["example"] = json!(example);
    }
    path
}

fn query(route: &CatalogRoute, parameter: &Parameter) -> Value {
    let default = route.default_of(parameter.name).map(|default| format!(" Default: {default}."));
    json!({
        "name": parameter.name,
        "in": "query",
        "required": parameter.required,
        "description": format!("{}{}", parameter.about, default.unwrap_or_default()),
        "schema": parameter_schema(parameter.kind),
    })
}

fn listing(catalog: &RouteCatalog, generator: &mut SchemaGenerator) -> Value {
    let query: Vec<Value> = catalog
        .listing_parameters
        .iter()
        .map(|parameter| {
            json!({
                "name": parameter.name, "in": "query", "required": false, "description": parameter.about,
                "schema": parameter_schema(parameter.kind),
            })
        })
        .collect();
    about(
        "sports",
        "Every route",
        "Lists sports, groups and routes with what they answer, their parameters and their state.",
        &query,
        generator.subschema_for::<CatalogListing<'_>>().to_value(),
    )
}

fn health(generator: &mut SchemaGenerator) -> Value {
    let schema = generator.subschema_for::<CatalogHealth<'_>>().to_value();
    let description = "Counts routes, sport by sport, and tells whether data of them are published.";
    about("health", "How the catalog stands", description, &[], schema)
}

/// The page of corrections, of any sport.
fn changes(catalog: &RouteCatalog) -> Option<Value> {
    let route = catalog.changes.first()?;
    let sport = catalog.sports.iter().find(|sport| sport.key == route.sport)?;
    let mut get = get(sport, route);
    get["summary"] = "What captures corrected".into();
    get["tags"] = json!([CATALOG_TAG]);
    let meta = "/responses/200/content/application~1json/schema/properties/meta/properties/sport";
    if let Some(sport) = get.pointer_mut(meta) {
        *sport = json!({"enum": catalog.changes.iter().map(|route| route.sport).collect::<Vec<_>>()});
    }
    Some(get)
}

/// The stream of what publications add to that page.
fn changes_stream(catalog: &RouteCatalog) -> Option<Value> {
    let route = catalog.changes.first()?;
    let (parameter, success) = change_stream_schema();
    let mut get = about(STREAM.name, STREAM.summary, STREAM.description, &[], Value::Null);
    let asked = route.parameters.iter().take(1).chain([const { &LAST_EVENT_ID.declared() }]);
    get["parameters"] = asked.map(|asked| query(route, asked)).chain([parameter]).collect();
    let codes = [ErrorCode::SnapshotNotAvailable, ErrorCode::SourceNotLicensed, ErrorCode::SportNotPublished];
    let mut answers = responses(COMMON.into_iter().chain(codes).chain(STREAM.errors.iter().copied()));
    answers.extend(success);
    get["responses"] = answers.into();
    Some(get)
}

/// The list of a snapshot's tables, or the file of one, which is answered without the envelope.
fn tables(page: TablesPage, generator: &mut SchemaGenerator) -> Value {
    let operation = match page {
        TablesPage::Tables => TABLES,
        TablesPage::File => TABLE_FILE,
    };
    let pattern = |name: &str, about: &str, pattern: &str| {
        json!({"name": name, "in": "path", "required": true, "description": about,
               "schema": {"type": "string", "pattern": pattern}})
    };
    let id = pattern("id", operation.path_parameter, "^([0-9a-f]{32}|current)$");
    let data = generator.subschema_for::<Vec<PublishedTable>>().to_value();
    let mut get = about(page.name(), operation.summary, operation.description, &[id], data);
    let unknown = [ErrorCode::NotFound, ErrorCode::SnapshotNotFound, ErrorCode::SnapshotNotAvailable];
    let of_file = operation.errors.iter().copied().filter(|code| !unknown.contains(code));
    let mut answers = responses(COMMON.into_iter().chain(unknown).chain(of_file));
    if page == TablesPage::File {
        let (parameters, file) = table_file_schema();
        answers.extend(file);
        if let Some(given) = get["parameters"].as_array_mut() {
            given.push(pattern(
                "file",
                "Name of the table, and `.parquet` or `.csv`.",
                "^[a-z0-9_]+\\.(parquet|csv)$",
            ));
            given.extend(parameters);
        }
    } else {
        answers.insert("200".to_owned(), get["responses"]["200"].take());
    }
    get["responses"] = answers.into();
    get["x-minimum-plan"] = page.plan().name().into();
    get
}

/// A page about the catalog itself.
fn about(id: &str, summary: &str, description: &str, parameters: &[Value], data: Value) -> Value {
    let mut responses = responses(COMMON.into_iter());
    let meta = json!({
        "type": "object",
        "properties": {"api": {"const": CATALOG_API.name}, "version": {"type": "string"},
                       "request_id": {"type": "string", "format": "uuid"}},
        "required": ["api", "version", "request_id"],
    });
    let body = json!({
        "type": "object",
        "properties": {"ok": {"const": true}, "data": data, "meta": meta},
        "required": ["ok", "data", "meta"],
    });
    let success = json!({"description": "As asked.", "content": {"application/json": {"schema": body}}});
    responses.insert("200".to_owned(), success);
    json!({
        "operationId": id,
        "summary": summary,
        "description": description,
        "tags": [CATALOG_TAG],
        "parameters": parameters,
        "responses": responses,
        "x-minimum-plan": "narrow",
    })
}

/// Errors by status.
fn responses(codes: impl Iterator<Item = ErrorCode>) -> Map<String, Value> {
    let mut responses: Map<String, Value> = Map::new();
    for code in codes {
        let response = responses.entry(code.status().to_string()).or_insert_with(|| {
            json!({
                "description": "",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
                "x-error-codes": [],
            })
        });
        if let Some(codes) = response["x-error-codes"].as_array_mut() {
            codes.push(code.name().into());
        }
        let before = response["description"].as_str().unwrap_or_default();
        let separator = if before.is_empty() { "" } else { "\n\n" };
        let described = format!("{before}{separator}`{}`: {}", code.name(), code.meaning());
        response["description"] = described.into();
    }
    responses
}
