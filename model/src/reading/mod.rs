//! The readings: every point where the sources are silent or can be read two ways.
//!
//! A reading is a typed input of the model, never a choice hidden in code. Its first
//! alternative is the default. Each enum is declared once, by the macro `alternatives`; each dialect's
//! table ([`voiceos`], [`matrices`]) names the clause it belongs to, the question, and in one
//! sentence why the default is the default.
//!
//! A candidate that declares another alternative is judged by the one it declares.

pub mod matrices;
pub mod shared;
pub mod voiceos;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use matrices::MatricesReadings;
pub use voiceos::VoiceosReadings;

use crate::Dialect;

/// One open point of the specification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// The clause of strength R that it belongs to.
    pub id: &'static str,
    /// Whose open point it is; one clause of the kernel may be open in both dialects.
    pub dialect: Dialect,
    /// What the sources leave open.
    pub question: &'static str,
    /// Names of the alternatives, the default first.
    pub alternatives: &'static [&'static str],
    /// Why the default is the default.
    pub why: &'static str,
}

/// A set of named alternatives, the first of which is the default.
pub trait Alternative: Copy + Eq + Default + 'static {
    /// Every alternative's name, the default first.
    const NAMES: &'static [&'static str];
    /// The name that a ledger, a candidate's declaration and a report use.
    fn name(self) -> &'static str;
    /// The alternative of this name.
    fn named(name: &str) -> Option<Self>;
}

/// Declares enums of alternatives: the first variant is the default.
macro_rules! alternatives {
    ($($(#[$meta:meta])* $name:ident {
        $(#[$first_meta:meta])* $first:ident = $first_name:literal
        $(, $(#[$rest_meta:meta])* $rest:ident = $rest_name:literal)+ $(,)?
    })+) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize)]
        pub enum $name {
            #[doc = concat!("The default, `", $first_name, "`.\n\n")] $(#[$first_meta])*
            #[default] #[serde(rename = $first_name)] $first,
            $(#[doc = concat!("`", $rest_name, "`.\n\n")] $(#[$rest_meta])*
            #[serde(rename = $rest_name)] $rest),+
        }
        impl $crate::reading::Alternative for $name {
            const NAMES: &'static [&'static str] = &[$first_name $(, $rest_name)+];
            fn name(self) -> &'static str {
                match self { Self::$first => $first_name, $(Self::$rest => $rest_name),+ }
            }
            fn named(name: &str) -> Option<Self> {
                match name { $first_name => Some(Self::$first), $($rest_name => Some(Self::$rest),)+ _ => None }
            }
        }
        impl std::str::FromStr for $name {
            type Err = String;
            fn from_str(name: &str) -> Result<Self, String> {
                <Self as $crate::reading::Alternative>::named(name).ok_or_else(|| {
                    format!("`{name}` is none of {}", <Self as $crate::reading::Alternative>::NAMES.join(", "))
                })
            }
        }
    )+};
}
pub(crate) use alternatives;

/// Declares a dialect's table of readings: clause id, field, enum, question, why.
macro_rules! table {
    ($(#[$meta:meta])* $group:ident of $dialect:expr;
     $($id:literal $field:ident: $ty:ty, $question:literal, $why:literal;)+) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
        pub struct $group { $(#[doc = $question] pub $field: $ty),+ }

        impl $group {
            /// Every reading of this dialect.
            pub const LIST: &'static [$crate::reading::Reading] = &[$($crate::reading::Reading {
                id: $id, dialect: $dialect, question: $question, why: $why,
                alternatives: <$ty as $crate::reading::Alternative>::NAMES,
            }),+];

            /// The alternative chosen for the reading of clause `id`.
            pub fn get(&self, id: &str) -> Option<&'static str> {
                use $crate::reading::Alternative;
                match id { $($id => Some(self.$field.name()),)+ _ => None }
            }

            /// Chooses `alternative` for the reading of clause `id`.
            ///
            /// # Errors
            /// No reading has this id, or it has no such alternative.
            pub fn set(&mut self, id: &str, alternative: &str) -> Result<(), $crate::reading::UnknownReading> {
                use $crate::reading::{Alternative, UnknownReading};
                match id {
                    $($id => {
                        self.$field = <$ty>::named(alternative).ok_or_else(|| UnknownReading::Alternative {
                            id: id.to_owned(), found: alternative.to_owned(), expected: <$ty>::NAMES,
                        })?;
                    })+
                    _ => return Err(UnknownReading::Id { dialect: $dialect, found: id.to_owned() }),
                }
                Ok(())
            }
        }

        impl serde::Serialize for $group {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_map(Self::LIST.iter().filter_map(|reading| {
                    let chosen = self.get(reading.id)?;
                    (Some(&chosen) != reading.alternatives.first()).then_some((reading.id, chosen))
                }))
            }
        }

        impl<'de> serde::Deserialize<'de> for $group {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let chosen = std::collections::BTreeMap::<String, String>::deserialize(deserializer)?;
                let mut readings = Self::default();
                for (id, alternative) in &chosen {
                    readings.set(id, alternative).map_err(serde::de::Error::custom)?;
                }
                Ok(readings)
            }
        }
    };
}
pub(crate) use table;

/// A reading or an alternative that the ledger does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnknownReading {
    /// No reading of the dialect belongs to this clause.
    #[error("`{found}` is no reading of the {dialect} dialect")]
    Id {
        /// The dialect that was asked.
        dialect: Dialect,
        /// The id given.
        found: String,
    },
    /// The reading has no alternative of this name.
    #[error("`{found}` is no alternative of {id}; expected one of: {}", expected.join(", "))]
    Alternative {
        /// The reading's clause.
        id: String,
        /// The alternative given.
        found: String,
        /// The alternatives there are.
        expected: &'static [&'static str],
    },
    /// Two alternatives exclude each other.
    #[error("{0}")]
    Excluded(&'static str),
}

/// The readings by which a script is judged. Serialized as the alternatives that are not the
/// default, by clause: `{"voiceos": {"VO-DL-4": "late"}}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Readings {
    /// Those of the VoiceOS dialect.
    #[serde(skip_serializing_if = "is_default")]
    pub voiceos: VoiceosReadings,
    /// Those of the Matrices dialect.
    #[serde(skip_serializing_if = "is_default")]
    pub matrices: MatricesReadings,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// One alternative other than the one chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Flip {
    /// Whose reading it is.
    pub dialect: Dialect,
    /// The reading's clause.
    pub id: &'static str,
    /// The alternative to take instead.
    pub alternative: &'static str,
}

impl fmt::Display for Flip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.id, self.alternative)
    }
}

impl Readings {
    /// Every reading of both dialects.
    pub fn list() -> impl Iterator<Item = &'static Reading> {
        VoiceosReadings::LIST.iter().chain(MatricesReadings::LIST)
    }

    /// The alternative chosen for the reading `id` of `dialect`.
    #[must_use]
    pub fn get(&self, dialect: Dialect, id: &str) -> Option<&'static str> {
        match dialect {
            Dialect::Voiceos => self.voiceos.get(id),
            Dialect::Matrices => self.matrices.get(id),
        }
    }

    /// Chooses an alternative.
    ///
    /// # Errors
    /// The dialect has no such reading, or the reading no such alternative.
    pub fn set(&mut self, dialect: Dialect, id: &str, alternative: &str) -> Result<(), UnknownReading> {
        match dialect {
            Dialect::Voiceos => self.voiceos.set(id, alternative),
            Dialect::Matrices => self.matrices.set(id, alternative),
        }
    }

    /// Whether the alternatives go together.
    ///
    /// # Errors
    /// Concurrent dispatch (VO-ORDER-2) hands every hook the value before any has answered, so it
    /// implies *original* in HK-REWRITE-2. Retries (HK-ONCE-1) are modelled in sequential dispatch alone.
    pub fn validate(&self) -> Result<(), UnknownReading> {
        use shared::{Dispatch, Sight};
        let concurrent = self.voiceos.dispatch == Dispatch::Concurrent;
        if concurrent && self.voiceos.once != voiceos::Once::Once {
            return Err(UnknownReading::Excluded(
                "HK-ONCE-1 = retries implies VO-ORDER-2 = sequential: when all are asked at once, it is \
                 open whether one that failed is asked again before the others have answered",
            ));
        }
        if concurrent && self.voiceos.sight == Sight::Composed {
            return Err(UnknownReading::Excluded(
                "VO-ORDER-2 = concurrent implies HK-REWRITE-2 = original: all hooks are asked before any has answered",
            ));
        }
        Ok(())
    }

    /// Every alternative of `dialect` that is not the one chosen here.
    pub fn flips(&self, dialect: Dialect) -> impl Iterator<Item = Flip> + use<> {
        let chosen = *self;
        let of_dialect = Self::list().filter(move |reading| reading.dialect == dialect);
        let all = of_dialect.flat_map(move |reading| {
            let others =
                reading.alternatives.iter().filter(move |name| chosen.get(dialect, reading.id) != Some(name));
            others.map(move |alternative| Flip { dialect, id: reading.id, alternative })
        });
        all.filter(move |flip| chosen.flipped(*flip).validate().is_ok())
    }

    /// These readings with one alternative exchanged, and what that one implies with it.
    #[must_use]
    pub fn flipped(mut self, flip: Flip) -> Self {
        // A flip comes from the table itself, so setting it cannot fail.
        let _ = self.set(flip.dialect, flip.id, flip.alternative);
        if self.validate().is_err() {
            if flip.id == "VO-ORDER-2" {
                self.voiceos.sight = shared::Sight::Original;
                self.voiceos.once = voiceos::Once::Once;
            } else {
                self.voiceos.dispatch = shared::Dispatch::Sequential;
            }
        }
        self
    }
}
