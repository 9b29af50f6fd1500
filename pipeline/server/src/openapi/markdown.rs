//! The little of Markdown that descriptions use: paragraphs, lists, `code` and **strong**.

use std::fmt::Write as _;

/// Text that may stand anywhere in a page.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A whole description.
pub(super) fn html(text: &str) -> String {
    let mut out = String::new();
    let mut items: Vec<String> = Vec::new();
    for line in text.lines().map(str::trim).chain([""]) {
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
            let part = escaped(part);
            let _ = if n % 2 == 1 { write!(out, "<strong>{part}</strong>") } else { write!(out, "{part}") };
        }
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
        assert_eq!(html("<script>\"x\"</script>"), "<p>&lt;script&gt;&quot;x&quot;&lt;/script&gt;</p>");
    }
}
