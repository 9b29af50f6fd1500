//! One request in three languages. Each reads the server and the key from the environment, so that it runs as it is.

use serde_json::Value;

use super::markdown::escaped;

/// An example request of an operation.
pub(super) struct Request {
    /// With the examples of its path parameters.
    path: String,
    /// Name and value of each query parameter that has an example.
    query: Vec<(String, String)>,
    /// Whether it is answered with a file.
    is_file: bool,
}

impl Request {
    pub(super) fn of(path: &str, get: &Value) -> Self {
        let mut request = Self { path: path.to_owned(), query: Vec::new(), is_file: is_file(get) };
        for parameter in get["parameters"].as_array().into_iter().flatten() {
            let (Some(name), Some(example)) = (parameter["name"].as_str(), parameter.get("example")) else {
                continue;
            };
            if parameter["in"] == "path" {
                request.path = request.path.replace(&format!("{{{name}}}"), &text(example));
            } else if parameter["schema"]["default"] != *example {
                request.query.push((name.to_owned(), text(example)));
            }
        }
        request
    }

    fn curl(&self) -> String {
        let query: Vec<String> = self.query.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let mark = if query.is_empty() { "" } else { "?" };
        format!(
            "curl --compressed -H \"Authorization: Bearer $FIGHTDNA_KEY\" \\\n  \"$FIGHTDNA_URL{}{mark}{}\"",
            self.path,
            query.join("&")
        )
    }

    fn python(&self) -> String {
        let pairs: Vec<String> =
            self.query.iter().map(|(name, value)| format!("{name:?}: {value:?}")).collect();
        let params = match pairs.is_empty() {
            true => String::new(),
            false => format!("    params={{{}}},\n", pairs.join(", ")),
        };
        let used = match self.is_file {
            true => "reply.raise_for_status()\nopen(\"table.parquet\", \"wb\").write(reply.content)",
            false => {
                "body = reply.json()\nif not body[\"ok\"]:\n    raise SystemExit(body[\"error\"][\"message\"])\nprint(body[\"data\"])"
            }
        };
        format!(
            "import os, requests\n\nreply = requests.get(\n    os.environ[\"FIGHTDNA_URL\"] + {:?},\n{params}    \
             headers={{\"Authorization\": \"Bearer \" + os.environ.get(\"FIGHTDNA_KEY\", \"\")}},\n    timeout=10,\n)\n{used}",
            self.path
        )
    }

    fn typescript(&self) -> String {
        let set: String = self
            .query
            .iter()
            .map(|(name, value)| format!("url.searchParams.set({name:?}, {value:?});\n"))
            .collect();
        let used = match self.is_file {
            true => {
                "const reply = await fetch(url, { headers });\nif (!reply.ok) throw new Error(reply.statusText);\n\
                 const file = await reply.arrayBuffer();\nconsole.log(file.byteLength);"
            }
            false => {
                "const body = await (await fetch(url, { headers })).json();\n\
                 if (!body.ok) throw new Error(body.error.message);\nconsole.log(body.data);"
            }
        };
        format!(
            "const url = new URL({:?}, process.env.FIGHTDNA_URL);\n{set}\
             const headers = {{ Authorization: `Bearer ${{process.env.FIGHTDNA_KEY ?? \"\"}}` }};\n{used}",
            self.path
        )
    }

    /// The samples of this operation, the first of them open.
    pub(super) fn html(&self) -> String {
        let samples = [("curl", self.curl()), ("Python", self.python()), ("TypeScript", self.typescript())];
        let one = |(language, code): &(&str, String)| {
            let open = if *language == "curl" { " open" } else { "" };
            let class = language.to_lowercase();
            let code = escaped(code);
            format!(
                "<details{open}><summary>{language}</summary>\
                 <pre class=\"sample {class}\" tabindex=0><code>{code}</code></pre></details>"
            )
        };
        samples.iter().map(one).collect()
    }
}

/// Whether the success of an operation is something else than JSON.
fn is_file(get: &Value) -> bool {
    let content = &get["responses"]["200"]["content"];
    content.is_object() && content.get("application/json").is_none()
}

/// A value as a URL has it: lists with commas, spaces as plus signs.
fn text(example: &Value) -> String {
    match example {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(text).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_sample_asks_what_the_examples_say_and_leaves_defaults_out() {
        let get = json!({"parameters": [
            {"name": "id", "in": "path", "example": "f1"},
            {"name": "include", "in": "query", "example": ["media", "stats"]},
            {"name": "limit", "in": "query", "example": 25, "schema": {"default": 25}},
            {"name": "cursor", "in": "query"},
        ]});
        let request = Request::of("/v1/fighters/{id}", &get);
        assert!(
            request.curl().ends_with("\"$FIGHTDNA_URL/v1/fighters/f1?include=media,stats\""),
            "{}",
            request.curl()
        );
        assert!(
            request.python().contains("    params={\"include\": \"media,stats\"},\n"),
            "{}",
            request.python()
        );
        assert!(request.typescript().contains("url.searchParams.set(\"include\", \"media,stats\");"));
        let bare = Request::of("/v1", &json!({}));
        assert!(bare.curl().ends_with("/v1\"") && !bare.python().contains("params"));
    }
}
