use super::*;
use crate::{EXTRA_OPERATIONS, ErrorCode, OPERATIONS};
use std::collections::BTreeSet;

fn made() -> Value {
    document(&Vocabulary { metrics: &["m"], families: &["f"], split_metrics: &["m"], split_families: &["f"] })
}

/// Every `$ref`, wherever it stands.
fn refs(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| refs(item, found)),
        Value::Object(fields) => {
            found.extend(fields.get("$ref").and_then(Value::as_str).map(str::to_owned));
            fields.values().for_each(|field| refs(field, found));
        }
        _ => {}
    }
}

#[test]
fn every_operation_is_there_with_its_plan_origin_and_a_body_for_its_success() {
    let document = made();
    assert_eq!(document["paths"].as_object().unwrap().len(), OPERATIONS.len() + EXTRA_OPERATIONS.len() + 2);
    for operation in all_operations() {
        let get = &document["paths"][operation.path]["get"];
        assert_eq!(get["operationId"], operation.name);
        assert_eq!(get["x-minimum-plan"], operation.plan.name());
        assert_eq!(get["x-origin"], operation.origin.name());
        let schema = &get["responses"]["200"]["content"]["application/json"]["schema"]["$ref"];
        let is_other =
            matches!(operation.name, "fighter_position_profile" | "snapshot_table_file" | "changes_stream");
        assert_eq!(schema.is_string(), !is_other, "{}", operation.name);
    }
}

#[test]
fn every_reference_leads_somewhere_and_every_schema_is_used() {
    let document = made();
    let mut found = BTreeSet::new();
    refs(&document, &mut found);
    for name in &found {
        let pointer = name.strip_prefix('#').unwrap();
        assert!(document.pointer(pointer).is_some(), "{name}");
    }
    for name in document["components"]["schemas"].as_object().unwrap().keys() {
        assert!(found.contains(&format!("#/components/schemas/{name}")), "{name} is not used");
    }
}

#[test]
fn every_code_is_listed_and_stands_where_its_status_is() {
    let document = made();
    let mut listed = BTreeSet::from(["method_not_allowed".to_owned()]);
    for operation in all_operations() {
        let responses = document["paths"][operation.path]["get"]["responses"].as_object().unwrap();
        for (status, response) in responses {
            for code in response["x-error-codes"].as_array().into_iter().flatten() {
                let known = ErrorCode::ALL.iter().find(|c| c.name() == code).unwrap();
                assert_eq!(known.status().to_string(), *status);
                listed.insert(known.name().to_owned());
            }
        }
    }
    let all: BTreeSet<_> = ErrorCode::of_mma().map(|code| code.name().to_owned()).collect();
    assert_eq!(listed, all);
    assert_eq!(document["components"]["schemas"]["ErrorCode"]["enum"].as_array().unwrap().len(), all.len());
}

#[test]
fn a_field_of_the_contract_is_required_and_nullable_unless_it_is_an_id() {
    let document = made();
    let event = &document["components"]["schemas"]["Event"];
    assert_eq!(event["required"].as_array().unwrap().len(), event["properties"].as_object().unwrap().len());
    assert_eq!(event["properties"]["venue"]["type"], json!(["string", "null"]));
    assert_eq!(event["properties"]["id"], json!({"type": "string", "format": "uuid"}));
    let status = &event["properties"]["card_status"]["anyOf"];
    assert_eq!(*status, json!([{"$ref": "#/components/schemas/Status"}, {"type": "null"}]));
}
