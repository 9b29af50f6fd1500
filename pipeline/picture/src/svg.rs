//! SVG text: the few shapes that pictures are made of.

use std::fmt::Write as _;

use crate::{fit_text, text_width};

/// Title and description of a picture.
#[derive(Debug, Clone, Copy)]
pub struct Caption<'a> {
    /// Unique within the page.
    pub id: &'a str,
    /// The title, in a few words.
    pub title: &'a str,
    /// How it is read, and where its numbers stand as text.
    pub description: &'a str,
}

/// Width of a picture, in its own units.
pub const WIDTH: f64 = 400.0;

/// Where a text stands by its place.
#[derive(Clone, Copy)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// A picture that is being written.
pub(crate) struct Svg<'a> {
    caption: Caption<'a>,
    size: (f64, f64),
    body: String,
    has_hatch: bool,
}

/// A coordinate, written with one decimal and without a trailing `.0`.
struct Coordinate(f64);

impl std::fmt::Display for Coordinate {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = format!("{:.1}", self.0);
        let text = text.strip_suffix(".0").unwrap_or(&text);
        out.write_str(if text == "-0" { "0" } else { text })
    }
}

fn escape_text(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            other => safe.push(other),
        }
    }
    safe
}

impl<'a> Svg<'a> {
    pub(crate) fn new(caption: Caption<'a>, width: f64, height: f64) -> Self {
        Self { caption, size: (width, height), body: String::new(), has_hatch: false }
    }

    pub(crate) fn rect(&mut self, class: &str, (x, y): (f64, f64), (width, height): (f64, f64)) {
        let (x, y, width, height) = (Coordinate(x), Coordinate(y), Coordinate(width), Coordinate(height));
        let _ =
            write!(self.body, r#"<rect class="{class}" x="{x}" y="{y}" width="{width}" height="{height}"/>"#);
    }

    /// A place without a value.
    pub(crate) fn hatched_rect(&mut self, (x, y): (f64, f64), (width, height): (f64, f64)) {
        self.has_hatch = true;
        let (id, x, y, width, height) = (
            escape_text(self.caption.id),
            Coordinate(x),
            Coordinate(y),
            Coordinate(width),
            Coordinate(height),
        );
        let _ = write!(
            self.body,
            r#"<rect class="missing" fill="url(#{id}-hatch)" x="{x}" y="{y}" width="{width}" height="{height}"/>"#
        );
    }

    pub(crate) fn line(&mut self, class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
        let (x1, y1, x2, y2) = (Coordinate(x1), Coordinate(y1), Coordinate(x2), Coordinate(y2));
        let _ = write!(self.body, r#"<line class="{class}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>"#);
    }

    pub(crate) fn dot(&mut self, class: &str, (x, y): (f64, f64), radius: f64) {
        let (x, y, radius) = (Coordinate(x), Coordinate(y), Coordinate(radius));
        let _ = write!(self.body, r#"<circle class="{class}" cx="{x}" cy="{y}" r="{radius}"/>"#);
    }

    /// A square around its place: told apart from a dot without its colour.
    pub(crate) fn open_square(&mut self, class: &str, (x, y): (f64, f64), half: f64) {
        self.rect(class, (x - half, y - half), (2.0 * half, 2.0 * half));
    }

    /// Points as `polyline` or `polygon`.
    pub(crate) fn points(&mut self, shape: &str, class: &str, points: &[(f64, f64)]) {
        let _ = write!(self.body, r#"<{shape} class="{class}" points=""#);
        for (place, (x, y)) in points.iter().enumerate() {
            let gap = if place == 0 { "" } else { " " };
            let _ = write!(self.body, "{gap}{},{}", Coordinate(*x), Coordinate(*y));
        }
        self.body.push_str(r#""/>"#);
    }

    /// A text of at most so much room; nothing where there is no room for a letter.
    pub(crate) fn text(
        &mut self,
        class: &str,
        anchor: Anchor,
        (x, y): (f64, f64),
        (size, room): (f64, f64),
        text: &str,
    ) {
        let text = fit_text(text, size, room);
        if text.is_empty() {
            return;
        }
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => r#" text-anchor="middle""#,
            Anchor::End => r#" text-anchor="end""#,
        };
        let (x, y, size, text) = (Coordinate(x), Coordinate(y), Coordinate(size), escape_text(&text));
        let _ = write!(
            self.body,
            r#"<text class="{class}"{anchor} x="{x}" y="{y}" font-size="{size}">{text}</text>"#
        );
    }

    /// A label, and to its right a number, which is never cut for it.
    pub(crate) fn labelled_number(&mut self, y: f64, label: &str, number: &str) {
        let number = fit_text(number, 12.0, WIDTH * 0.66);
        let room = WIDTH - text_width(&number, 12.0) - 8.0;
        self.text("label", Anchor::Start, (0.0, y), (12.0, room), label);
        self.text("number", Anchor::End, (WIDTH, y), (12.0, WIDTH * 0.66), &number);
    }

    /// Begins a group that ends with [`Self::end_group`]; its title is shown where a pointer rests on it.
    pub(crate) fn begin_group(&mut self, title: &str) {
        let _ = write!(self.body, r#"<g data-tip="{}">"#, escape_text(title));
    }

    pub(crate) fn end_group(&mut self) {
        self.body.push_str("</g>");
    }

    pub(crate) fn finish(self) -> String {
        let Caption { id, title, description } = self.caption;
        let (id, title, description) = (escape_text(id), escape_text(title), escape_text(description));
        let (width, height) = (Coordinate(self.size.0), Coordinate(self.size.1));
        let hatch = match self.has_hatch {
            true => format!(
                r#"<defs><pattern id="{id}-hatch" width="6" height="6" patternUnits="userSpaceOnUse"><path class="hatch" d="M0 6L6 0"/></pattern></defs>"#
            ),
            false => String::new(),
        };
        format!(
            r#"<svg class="picture" role="img" aria-labelledby="{id}-t {id}-d" viewBox="0 0 {width} {height}"><title id="{id}-t">{title}</title><desc id="{id}-d">{description}</desc>{hatch}{}</svg>"#,
            self.body
        )
    }
}
