//! Puts finished JSON together without reading it.

/// Adds the items of an array, brackets included.
pub(crate) fn array<'a>(out: &mut Vec<u8>, items: impl IntoIterator<Item = &'a [u8]>) {
    out.push(b'[');
    for (i, item) in items.into_iter().enumerate() {
        if i > 0 {
            out.push(b',');
        }
        out.extend_from_slice(item);
    }
    out.push(b']');
}

/// An object under construction.
#[derive(Debug)]
pub(crate) struct JsonObject(Vec<u8>);

impl JsonObject {
    /// An empty object.
    pub(crate) fn new() -> Self {
        Self(vec![b'{'])
    }

    /// All fields of an object.
    pub(crate) fn of(object: &[u8]) -> Self {
        Self::new().and(object)
    }

    /// Adds all fields of an object.
    pub(crate) fn and(mut self, object: &[u8]) -> Self {
        let fields = object.strip_prefix(b"{").and_then(|o| o.strip_suffix(b"}")).unwrap_or_default();
        if !fields.is_empty() {
            self.comma();
            self.0.extend_from_slice(fields);
        }
        self
    }

    /// Adds a field; `name` needs no escapes.
    pub(crate) fn field(self, name: &str, value: &[u8]) -> Self {
        self.field_with(name, |out| out.extend_from_slice(value))
    }

    /// Adds a field that `write` writes.
    pub(crate) fn field_with(mut self, name: &str, write: impl FnOnce(&mut Vec<u8>)) -> Self {
        self.comma();
        self.0.push(b'"');
        self.0.extend_from_slice(name.as_bytes());
        self.0.extend_from_slice(b"\":");
        write(&mut self.0);
        self
    }

    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.0.push(b'}');
        self.0
    }

    fn comma(&mut self) {
        if self.0.len() > 1 {
            self.0.push(b',');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_and_arrays_are_put_together() {
        let object = JsonObject::of(b"{}").and(br#"{"a":1}"#).field("b", b"null").and(br#"{"c":{}}"#);
        let object = object.field_with("d", |out| array(out, [&b"1"[..], b"2"]));
        assert_eq!(object.finish(), br#"{"a":1,"b":null,"c":{},"d":[1,2]}"#);
        let mut none = Vec::new();
        array(&mut none, []);
        assert_eq!(none, b"[]");
    }
}
