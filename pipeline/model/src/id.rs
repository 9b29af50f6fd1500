//! Ids: UUID v5 of `kind/source/source_id` under our own namespace, so that every machine gives the
//! same entity the same id without asking anyone.

use std::fmt;

use uuid::Uuid;

/// Our namespace: UUID v5 of `fightdna` under the nil UUID. Fixed for ever: ids of all entities hang on it.
const NAMESPACE: Uuid = Uuid::from_u128(0x78e2_8fda_7b0b_554f_9477_9071_f913_af37);

/// Kinds of entities that have ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    Event,
    Bout,
    Fighter,
}

impl Kind {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Event => "event",
            Self::Bout => "bout",
            Self::Fighter => "fighter",
        }
    }
}

/// Our id for what a source calls `source_id`.
#[must_use]
pub fn entity_id(kind: Kind, source: &str, source_id: &str) -> Uuid {
    Uuid::new_v5(&NAMESPACE, format!("{}/{source}/{source_id}", kind.name()).as_bytes())
}

/// Our id for an image or a story, which have no source's id: `kind` is `image` or `wire`.
#[must_use]
pub fn address_id(kind: &str, address: &str) -> Uuid {
    Uuid::new_v5(&NAMESPACE, format!("{kind}/{address}").as_bytes())
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident, $kind:ident;)+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub Uuid);

        impl $name {
            /// The id for what `source` calls `source_id`.
            #[must_use]
            pub fn of(source: &str, source_id: &str) -> Self {
                Self(entity_id(Kind::$kind, source, source_id))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )+};
}

ids! {
    /// An event: one card on one date.
    EventId, Event;
    /// A bout: two fighters on one card.
    BoutId, Bout;
    /// A fighter. The same name never means the same id.
    FighterId, Fighter;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_what_they_were_when_first_given() {
        let id = FighterId::of("statsdb", "07f72a2a7591b409");
        assert_eq!(id.to_string(), ID_OF_07F72A2A7591B409);
        assert_ne!(id.0, BoutId::of("statsdb", "07f72a2a7591b409").0);
        assert_ne!(id, FighterId::of("feed", "07f72a2a7591b409"));
    }

    const ID_OF_07F72A2A7591B409: &str = "dda14fb5-87fe-5f47-b72d-611d3acc6ec5";
}
