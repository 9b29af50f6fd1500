//! Email addresses: the grammar of RFC 5322, and what a host of mail can be called.

use email_address::{EmailAddress, Options};

use super::MAX_EMAIL;

/// An address without display name, quotes or address literals, of a domain that may have mail.
pub(super) fn is_email(email: &str) -> bool {
    let options = Options::default().with_required_tld().without_display_text().without_domain_literal();
    let domain = email.rsplit_once('@').map_or("", |(_, domain)| domain);
    email.len() <= MAX_EMAIL
        && EmailAddress::parse_with_options(email, options).is_ok()
        && !email.contains('"')
        && !domain.contains('_')
        && domain.rsplit_once('.').is_some_and(|(_, top)| is_top_level(top))
}

/// Two letters or more of any script, or its encoding; so that no IPv4 address is a domain.
fn is_top_level(label: &str) -> bool {
    let is_encoded = label.get(..4).is_some_and(|begin| begin.eq_ignore_ascii_case("xn--"));
    label.chars().count() >= 2 && (is_encoded || !label.chars().any(|c| c.is_numeric() || c == '-'))
}
