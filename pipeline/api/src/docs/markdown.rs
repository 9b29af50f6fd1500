//! The little of Markdown that descriptions and the guide use: paragraphs, lists, fenced code, `code`, **strong** and
//! [links](#within) the page.

use std::fmt::Write as _;

/// Text that may stand anywhere in a page.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A whole description.
pub(super) fn html(text: &str) -> String {
    let mut out = String::new();
    let mut items: Vec<String> = Vec::new();
    let mut code: Option<String> = None;
    for line in text.lines().chain([""]) {
        if line.starts_with("```") {
            code = match code.take() {
                None => Some(String::new()),
                Some(lines) => {
                    let _ = write!(out, "<pre tabindex=0><code>{}</code></pre>", escaped(lines.trim_end()));
                    None
                }
            };
            continue;
        }
        if let Some(lines) = &mut code {
            let _ = writeln!(lines, "{line}");
            continue;
        }
        let line = line.trim();
        if let Some(item) = line.strip_prefix("- ") {
            items.push(format!("<li>{}</li>", inline(item)));
            continue;
        }
        if !items.is_empty() {
            let _ = write!(out, "<ul>{}</ul>", items.concat());
            items.clear();
        }
        if !line.is_empty() {
            let _ = write!(out, "<p>{}</p>", inline(line));
        }
    }
    out
}

/// A line. Every other part between two marks is marked; what has no second mark stays as it is.
pub(super) fn inline(line: &str) -> String {
    let mut out = String::new();
    for (n, part) in line.split('`').enumerate() {
        if n % 2 == 1 {
            let _ = write!(out, "<code>{}</code>", escaped(part));
            continue;
        }
        for (n, part) in part.split("**").enumerate() {
            let part = linked(&escaped(part));
            let _ = if n % 2 == 1 { write!(out, "<strong>{part}</strong>") } else { write!(out, "{part}") };
        }
    }
    out
}

/// Links within the page.
fn linked(text: &str) -> String {
    let mut parts = text.split('[');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let link = part.split_once("](#").and_then(|(name, rest)| Some((name, rest.split_once(')')?)));
        let _ = match link {
            Some((name, (id, rest))) => write!(out, "<a href=\"#{id}\">{name}</a>{rest}"),
            None => write!(out, "[{part}"),
        };
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_descriptions_use_becomes_html_and_nothing_else_does() {
        assert_eq!(
            html("One `a<b>` and **two**.\n\n- x\n- y\n\nEnd."),
            "<p>One <code>a&lt;b&gt;</code> and <strong>two</strong>.</p><ul><li>x</li><li>y</li></ul><p>End.</p>"
        );
        assert_eq!(
            html("See [errors](#errors) and [x].\n```\na < b\n  c\n```\n- y"),
            "<p>See <a href=\"#errors\">errors</a> and [x].</p><pre tabindex=0><code>a &lt; b\n  c</code></pre><ul><li>y</li></ul>"
        );
        assert_eq!(html("<script>\"x\"</script>"), "<p>&lt;script&gt;&quot;x&quot;&lt;/script&gt;</p>");
    }
}
