//! Comma-separated text as the source's scraper writes it: a line feed after every row, quotes
//! only where a field holds a comma, a quote or a line break.

/// Header and rows as one text.
pub(super) fn to_csv<const N: usize>(header: [&str; N], rows: &[[String; N]]) -> String {
    let mut text = String::new();
    push_row(&mut text, header.iter().copied());
    for row in rows {
        push_row(&mut text, row.iter().map(String::as_str));
    }
    text
}

fn push_row<'a>(text: &mut String, fields: impl Iterator<Item = &'a str>) {
    for (column, field) in fields.enumerate() {
        if column > 0 {
            text.push(',');
        }
        push_field(text, field);
    }
    text.push('\n');
}

fn push_field(text: &mut String, field: &str) {
    if !field.contains([',', '"', '\n']) {
        text.push_str(field);
        return;
    }
    text.push('"');
    text.push_str(&field.replace('"', "\"\""));
    text.push('"');
}
