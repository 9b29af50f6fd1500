//! One request in three languages. Each reads the server and the key from the environment, so that it runs as it is.

use serde_json::Value;

use super::markdown::escaped;

/// An example request of an operation.
pub(super) struct Request {
    /// With the examples of its path parameters.
    path: String,
    /// Name and value of each query parameter that has an example.
    query: Vec<(String, String)>,
    answer: AnswerKind,
}

/// What a request is answered with.
#[derive(Clone, Copy)]
enum AnswerKind {
    Json,
    File,
    Events,
}

impl Request {
    pub(super) fn of(path: &str, get: &Value) -> Self {
        let mut request = Self { path: path.to_owned(), query: Vec::new(), answer: answer_kind(get) };
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
        let how = if matches!(self.answer, AnswerKind::Events) { "--no-buffer" } else { "--compressed" };
        format!(
            "curl {how} -H \"Authorization: Bearer $FIGHTDNA_KEY\" \\\n  \"$FIGHTDNA_URL{}{mark}{}\"",
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
        let (more, used) = match self.answer {
            AnswerKind::File => {
                ("", "reply.raise_for_status()\nopen(\"table.parquet\", \"wb\").write(reply.content)")
            }
            AnswerKind::Events => (
                "    stream=True,\n",
                "reply.raise_for_status()\nfor line in reply.iter_lines(decode_unicode=True):\n    print(line, flush=True)",
            ),
            AnswerKind::Json => ("", {
                "body = reply.json()\nif not body[\"ok\"]:\n    raise SystemExit(body[\"error\"][\"message\"])\nprint(body[\"data\"])"
            }),
        };
        let timeout = if matches!(self.answer, AnswerKind::Events) { 60 } else { 10 };
        format!(
            "import os, requests\n\nreply = requests.get(\n    os.environ[\"FIGHTDNA_URL\"] + {:?},\n{params}    \
             headers={{\"Authorization\": \"Bearer \" + os.environ.get(\"FIGHTDNA_KEY\", \"\")}},\n{more}    timeout={timeout},\n)\n{used}",
            self.path
        )
    }

    fn typescript(&self) -> String {
        let set: String = self
            .query
            .iter()
            .map(|(name, value)| format!("url.searchParams.set({name:?}, {value:?});\n"))
            .collect();
        let used = match self.answer {
            AnswerKind::Events => {
                "const reply = await fetch(url, { headers });\nif (!reply.ok || !reply.body) throw new Error(reply.statusText);\n\
                 for await (const text of reply.body.pipeThrough(new TextDecoderStream())) console.log(text);"
            }
            AnswerKind::File => {
                "const reply = await fetch(url, { headers });\nif (!reply.ok) throw new Error(reply.statusText);\n\
                 const file = await reply.arrayBuffer();\nconsole.log(file.byteLength);"
            }
            AnswerKind::Json => {
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

fn answer_kind(get: &Value) -> AnswerKind {
    match get["responses"]["200"]["content"].as_object() {
        Some(content) if content.contains_key("text/event-stream") => AnswerKind::Events,
        Some(content) if !content.contains_key("application/json") => AnswerKind::File,
        _ => AnswerKind::Json,
    }
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
