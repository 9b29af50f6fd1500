//! Width of a text, which cannot be measured before it is drawn: a bound from above for common fonts.

/// Width of a text at a font size, about; rather too much than too little.
#[must_use]
pub fn text_width(text: &str, size: f64) -> f64 {
    text.chars().map(|letter| size * share_of_size(letter)).sum()
}

fn share_of_size(letter: char) -> f64 {
    match letter {
        'i' | 'j' | 'l' | 't' | 'f' | 'r' | 'I' | ' ' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | '('
        | ')' => 0.38,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '—' | '…' => 0.95,
        'A'..='Z' => 0.72,
        _ if u32::from(letter) > 0x2E7F => 1.05,
        _ => 0.6,
    }
}

/// The text, or as much of its beginning as there is room for, with an ellipsis.
#[must_use]
pub fn fit_text(text: &str, size: f64, room: f64) -> String {
    if text_width(text, size) <= room {
        return text.to_owned();
    }
    let mut kept = String::new();
    for letter in text.chars() {
        if text_width(&kept, size) + text_width(&letter.to_string(), size) + text_width("…", size) > room {
            break;
        }
        kept.push(letter);
    }
    let kept = kept.trim_end();
    if kept.is_empty() { String::new() } else { format!("{kept}…") }
}

/// Moves places apart until each is `gap` from the next, within bounds, in the order given by their values.
/// Where there is no room for all, they are spread evenly.
#[must_use]
pub fn spread_places(places: &[f64], gap: f64, (low, high): (f64, f64)) -> Vec<f64> {
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by(|a, b| places[*a].total_cmp(&places[*b]));
    let count = f64::from(u32::try_from(places.len()).unwrap_or(u32::MAX));
    let gap = gap.min((high - low) / (count - 1.0).max(1.0));
    let mut moved = vec![low; places.len()];
    let mut least = low;
    for place in &order {
        moved[*place] = places[*place].clamp(low, high).max(least);
        least = moved[*place] + gap;
    }
    let mut most = high;
    for place in order.iter().rev() {
        moved[*place] = moved[*place].min(most);
        most = moved[*place] - gap;
    }
    moved
}
