use proptest::prelude::*;

use super::*;
use crate::json_body;

fn rules() -> FieldRules {
    let statuses = ["new", "contacted", "won"].map(str::to_owned);
    FieldRules::new(&statuses, "US".parse().unwrap()).unwrap()
}

fn new(body: &str) -> Result<NewLead, Refusal> {
    rules().new_lead(json_body::parse_object(body.as_bytes())?)
}

fn patch(body: &str) -> Result<LeadPatch, Refusal> {
    rules().parse_patch(json_body::parse_object(body.as_bytes())?)
}

/// The field that is refused, of a body of which no value may be in the message.
fn refused(body: &str) -> String {
    let refusal = new(body).err().unwrap_or_else(|| panic!("{body}"));
    assert!(!refusal.message.contains("Zoe"), "{}", refusal.message);
    refusal.field.unwrap()
}

#[test]
fn what_is_taken_is_written_down_in_one_form() {
    let lead = new(r#"{"name":" Zoe Ω ","email":"Zoe.O'Hara+x@Example.com","phone":"(415) 555-2671",
        "source":"web","metadata":{"utm_source":"x","empty":""}}"#)
    .unwrap();
    assert_eq!(lead.name, "Zoe Ω");
    assert_eq!(lead.email.as_deref(), Some("Zoe.O'Hara+x@Example.com"));
    assert_eq!(lead.phone.as_deref(), Some("+14155552671"));
    assert_eq!(lead.metadata.len(), 2);
    for (given, e164) in [("+44 20 7946 0018", "+442079460018"), ("+1-415-555-2671", "+14155552671")] {
        let lead = new(&format!(r#"{{"name":"Zoe","phone":"{given}"}}"#)).unwrap();
        assert_eq!(lead.phone.as_deref(), Some(e164), "{given}");
    }
    assert_eq!(new(r#"{"name":"Zoe","email":null,"phone":"4155552671"}"#).unwrap().email, None);
    for email in ["a_b@example.co", "a@sub-1.example.museum", "a@example.xn--p1ai", "a@1.example.de"] {
        assert!(new(&format!(r#"{{"name":"Zoe","email":"{email}"}}"#)).is_ok(), "{email}");
    }
}

#[test]
fn what_is_out_of_bounds_is_refused_by_its_name() {
    let long = "x".repeat(201);
    for (body, field) in [
        (r#"{"email":"a@b.example"}"#.to_owned(), "name"),
        (r#"{"name":null,"email":"a@b.example"}"#.to_owned(), "name"),
        (r#"{"name":"Zoe"}"#.to_owned(), "email"),
        (r#"{"name":"   ","email":"a@b.example"}"#.to_owned(), "name"),
        (r#"{"name":5,"email":"a@b.example"}"#.to_owned(), "name"),
        (format!(r#"{{"name":"{long}","email":"a@b.example"}}"#), "name"),
        (r#"{"name":"Zoe\u0000","email":"a@b.example"}"#.to_owned(), "name"),
        (r#"{"name":"Zoe\u202e","email":"a@b.example"}"#.to_owned(), "name"),
        (r#"{"name":"Zoe","email":"a@b.example","status":"won"}"#.to_owned(), "status"),
        (r#"{"name":"Zoe","email":"a@b.example","ö x":"won"}"#.to_owned(), "??x"),
        (r#"{"name":"Zoe","email":"a@b.example","metadata":["x"]}"#.to_owned(), "metadata"),
        (r#"{"name":"Zoe","email":"a@b.example","metadata":{"a":1}}"#.to_owned(), "metadata"),
        (r#"{"name":"Zoe","email":"a@b.example","metadata":{"a":null}}"#.to_owned(), "metadata"),
        (r#"{"name":"Zoe","email":"a@b.example","metadata":{"a":{"b":"c"}}}"#.to_owned(), "metadata"),
        (r#"{"name":"Zoe","email":"a@b.example","metadata":{"a":"1"," a":"2"}}"#.to_owned(), "metadata"),
        (r#"{"name":"Zoe","email":"a@b.example","metadata":{"":"1"}}"#.to_owned(), "metadata"),
    ] {
        let told = refused(&body);
        assert_eq!(told, field, "{body}");
    }
    for email in [
        "a",
        "a@",
        "@b.example",
        "a@b",
        "a b@c.example",
        "a@b.example,c@d.example",
        "<a@b.example>",
        "a@b..example",
        "Zoe <a@b.example>",
        "\\\"a b\\\"@c.example",
        "a@[127.0.0.1]",
        "a@1.2.3.4",
        "a@example.123",
        "a@example.c",
        "a@ex_ample.com",
        "a@_dmarc.example.com",
    ] {
        assert_eq!(refused(&format!(r#"{{"name":"Zoe","email":"{email}"}}"#)), "email", "{email}");
    }
    for phone in ["1", "call me", "+1 415 555 267", "+999 123 456 789", "4155552671 ext. 5", "911"] {
        assert_eq!(refused(&format!(r#"{{"name":"Zoe","phone":"{phone}"}}"#)), "phone", "{phone}");
    }
}

#[test]
fn a_patch_tells_null_from_nothing() {
    let read = patch(r#"{"phone":null,"status":"won","metadata":{"a":null,"b":"c"}}"#).unwrap();
    assert_eq!((read.name, read.email, read.phone), (None, None, Some(None)));
    let entries = read.metadata.unwrap().unwrap();
    assert_eq!((&entries["a"], &entries["b"]), (&None, &Some("c".to_owned())));
    assert_eq!(patch("{}").unwrap(), LeadPatch::default());
    for (body, field) in [
        (r#"{"name":null}"#, "name"),
        (r#"{"status":null}"#, "status"),
        (r#"{"status":"lost"}"#, "status"),
        (r#"{"id":"x"}"#, "id"),
        (r#"{"created_at":"x"}"#, "created_at"),
    ] {
        assert_eq!(patch(body).unwrap_err().field.as_deref(), Some(field));
    }
}

#[test]
fn statuses_must_have_the_first() {
    let usable = |statuses: &[&str]| {
        let statuses: Vec<String> = statuses.iter().map(|status| (*status).to_owned()).collect();
        FieldRules::new(&statuses, "DE".parse().unwrap()).is_ok()
    };
    assert!(usable(&["new"]) && usable(&["lost", "new"]));
    assert!(!usable(&[]) && !usable(&["won"]) && !usable(&["new", "new"]) && !usable(&["new", "A b"]));
    assert!("XX1".parse::<PhoneRegion>().is_err());
}

proptest! {
    #[test]
    fn any_texts_are_judged(name in "\\PC{0,20}", email in "\\PC{0,20}", phone in "[0-9+() x.-]{0,20}") {
        let body = serde_json::json!({"name": name, "email": email, "phone": phone}).to_string();
        if let Ok(lead) = new(&body) {
            prop_assert!(lead.phone.is_none_or(|phone| phone.starts_with('+')));
            prop_assert!(!lead.name.chars().any(is_control));
        }
    }
}
