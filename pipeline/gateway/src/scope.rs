//! Scopes of a key of leads.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

/// A kind of operation on leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum KeyScope {
    Create,
    Read,
    /// Change what there is.
    Write,
    Erase,
}

impl KeyScope {
    pub const ALL: [Self; 4] = [Self::Create, Self::Read, Self::Write, Self::Erase];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Read => "read",
            Self::Write => "write",
            Self::Erase => "erase",
        }
    }
}

/// No scope has this name.
#[derive(Debug, thiserror::Error)]
#[error("not one of create, read, write, erase")]
pub struct UnknownScope;

impl FromStr for KeyScope {
    type Err = UnknownScope;

    fn from_str(name: &str) -> Result<Self, UnknownScope> {
        Self::ALL.into_iter().find(|scope| scope.name() == name).ok_or(UnknownScope)
    }
}

/// Scopes of a key: all, unless it was issued with fewer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyScopes(BTreeSet<KeyScope>);

impl Default for KeyScopes {
    fn default() -> Self {
        KeyScope::ALL.into_iter().collect()
    }
}

impl FromIterator<KeyScope> for KeyScopes {
    fn from_iter<I: IntoIterator<Item = KeyScope>>(scopes: I) -> Self {
        Self(scopes.into_iter().collect())
    }
}

impl KeyScopes {
    #[must_use]
    pub fn has(&self, scope: KeyScope) -> bool {
        self.0.contains(&scope)
    }

    /// Their names, in a fixed order.
    #[must_use]
    pub fn names(&self) -> Vec<&'static str> {
        self.0.iter().map(|scope| scope.name()).collect()
    }

    /// As the store has them: null for all, so that keys of before there were scopes keep what they may do.
    pub(crate) fn stored_text(&self) -> Option<String> {
        (*self != Self::default()).then(|| self.to_string())
    }

    /// # Errors
    /// No version of this program wrote it.
    pub(crate) fn of_stored(text: Option<&str>) -> Result<Self, UnknownScope> {
        let Some(text) = text else { return Ok(Self::default()) };
        text.split(',').filter(|name| !name.is_empty()).map(str::parse).collect()
    }
}

impl fmt::Display for KeyScopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.names().join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_read_as_they_were_stored() {
        for bits in 0..16_usize {
            let scopes: KeyScopes = KeyScope::ALL
                .into_iter()
                .enumerate()
                .filter(|(n, _)| bits >> n & 1 == 1)
                .map(|(_, own)| own)
                .collect();
            assert_eq!(KeyScopes::of_stored(scopes.stored_text().as_deref()).unwrap(), scopes, "{scopes}");
        }
        assert!(KeyScopes::of_stored(None).unwrap().has(KeyScope::Erase));
        assert!(KeyScopes::of_stored(Some("create,own")).is_err());
    }
}
