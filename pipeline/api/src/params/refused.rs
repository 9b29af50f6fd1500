//! Message about a refused parameter: what was got, what is allowed, and what may have been meant.

use crate::{ErrorCode, ErrorDetails, Failure, Parameter, ParameterKind};

/// Characters of what was given that a message repeats, at most.
const SHOWN: usize = 50;

/// Names that are suggested, at most.
const NEAREST: usize = 3;

/// From this likeness on, of 0 to 1, a name may be the one that was meant.
const NEAR: f64 = 0.8;

/// 400 for a parameter.
pub fn invalid(name: &str, allowed: &str, message: String) -> Failure {
    Failure::new(ErrorCode::InvalidParameter, message).with(ErrorDetails::of_parameter(name, allowed))
}

/// 400 for a parameter that is not what is allowed.
pub fn must_be(name: &str, allowed: &str) -> Failure {
    invalid(name, allowed, format!("`{name}` must be {allowed}"))
}

/// 400 for what is none of many names, which are listed elsewhere: the nearest of them are told.
pub fn no_such_name(parameter: &str, got: &str, names: &[&str], listed_at: &str) -> Failure {
    let nearest = nearest(got, names, 0.0);
    let message = format!(
        "`{parameter}` has no value `{}`. Nearest: {}. {listed_at} lists all {}",
        shown(got),
        nearest.join(", "),
        names.len()
    );
    with_nearest(invalid(parameter, &format!("a name that {listed_at} lists"), message), &nearest)
}

/// 400 for a value that a parameter does not allow.
pub(super) fn value(parameter: &Parameter, got: &str) -> Failure {
    let (name, allowed) = (parameter.name, parameter.kind.allows());
    let message = format!("`{name}` must be {allowed} (got `{}`)", shown(got));
    let nearest = match parameter.kind {
        ParameterKind::Choice { words, .. }
        | ParameterKind::Word { words }
        | ParameterKind::Choices { words } => {
            let wrong = got.split(',').find(|word| !words.contains(word));
            wrong.map_or_else(Vec::new, |wrong| nearest(wrong, words, NEAR))
        }
        _ => Vec::new(),
    };
    with_nearest(invalid(name, &allowed, suggesting(message, &nearest)), &nearest)
}

pub(super) fn missing(parameter: &Parameter) -> Failure {
    let allowed = parameter.kind.allows();
    let message = format!("Missing required parameter `{}` ({allowed})", parameter.name);
    invalid(parameter.name, &allowed, message)
}

pub(super) fn repeated(parameter: &Parameter) -> Failure {
    let message = format!("`{}` was given more than once: send it once", parameter.name);
    invalid(parameter.name, &format!("{}, once", parameter.kind.allows()), message)
}

pub(super) fn unknown<'p>(allowed: impl Iterator<Item = &'p Parameter>, name: &str) -> Failure {
    let names: Vec<_> = allowed.map(|p| p.name).collect();
    let name = shown(name);
    if names.is_empty() {
        let message = format!("This operation takes no query parameters (got `{name}`)");
        return invalid(&name, "no parameters", message);
    }
    let (nearest, allowed) = (nearest(&name, &names, NEAR), names.join(", "));
    let message = format!("Unknown parameter `{name}`: this operation takes {allowed}");
    with_nearest(invalid(&name, &allowed, suggesting(message, &nearest)), &nearest)
}

/// What a message repeats of what was given.
fn shown(got: &str) -> String {
    let mut shown: String = got.chars().take(SHOWN).collect();
    if got.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    shown
}

fn suggesting(message: String, nearest: &[&str]) -> String {
    match nearest {
        [] => message,
        [best, ..] => format!("{message}. Did you mean `{best}`?"),
    }
}

fn with_nearest(mut failure: Failure, nearest: &[&str]) -> Failure {
    if let Some(details) = failure.details.as_mut().filter(|_| !nearest.is_empty()) {
        details.did_you_mean = Some(nearest.iter().map(|name| (*name).to_owned()).collect());
    }
    failure
}

/// Those of the names that are most like what was given, the most like first.
pub fn nearest<'a>(got: &str, names: &[&'a str], least: f64) -> Vec<&'a str> {
    let got = plain(got);
    let mut near: Vec<(f64, &str)> = names.iter().map(|name| (likeness(&got, name), *name)).collect();
    near.retain(|(likeness, _)| *likeness >= least);
    near.sort_by(|(a, a_name), (b, b_name)| b.total_cmp(a).then(a_name.cmp(b_name)));
    near.into_iter().take(NEAREST).map(|(_, name)| name).collect()
}

/// 1 for the same but for case and punctuation; near that for initials (`slpm`) and for a part of the name.
fn likeness(got: &str, name: &str) -> f64 {
    let initials: String = name.split(['_', '-']).filter_map(|part| part.chars().next()).collect();
    let name = plain(name);
    if got.is_empty() || got == name {
        return f64::from(u8::from(got == name));
    }
    let is_part = got.len() >= 3 && name.contains(got);
    if got == initials.to_lowercase() || is_part { 0.95 } else { strsim::jaro_winkler(got, &name) }
}

fn plain(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).take(SHOWN).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_meant_is_found_by_initials_parts_and_likeness() {
        let names = ["sig_landed_per_min", "sig_absorbed_per_min", "td_defense", "control_share"];
        let first = |got: &str| nearest(got, &names, NEAR).first().copied();
        assert_eq!(first("slpm"), Some("sig_landed_per_min"));
        assert_eq!(first("control"), Some("control_share"));
        assert_eq!(first("TD-Defence"), Some("td_defense"));
        assert_eq!(first("sig_landed_per_mn"), Some("sig_landed_per_min"));
        assert_eq!((first("xyz"), first("")), (None, None));
        assert_eq!(nearest("xyz", &names, 0.0).len(), NEAREST);
    }

    #[test]
    fn no_more_is_repeated_than_a_line() {
        assert_eq!(shown("abc"), "abc");
        assert_eq!(shown(&"é".repeat(51)), format!("{}…", "é".repeat(50)));
    }
}
