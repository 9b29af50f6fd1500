//! Parameters with the type of their values. An operation declares each once, and is asked for its value by the same
//! constant: a name that is misspelt, or read as another type, does not compile.

use std::marker::PhantomData;

use chrono::{DateTime, NaiveDate, Utc};
use uuid::Uuid;

use crate::{Parameter, ParameterKind};

/// A checked value.
#[derive(Debug, Clone, PartialEq)]
pub enum ParamValue {
    Number(u32),
    Decimal(f64),
    Word(&'static str),
    Words(Vec<&'static str>),
    Date(NaiveDate),
    Instant(DateTime<Utc>),
    Flag(bool),
    Text(String),
    Ids(Vec<Uuid>),
}

/// A query parameter whose value is a `T`.
#[derive(Debug, Clone, Copy)]
pub struct Param<T> {
    parameter: Parameter,
    value: PhantomData<T>,
}

/// What the value of a parameter is.
pub trait ParamType {
    /// As it is given to who asks for it.
    type Value<'p>;

    /// Reads what was given; `None` of a value of another type, or where a default must be and none is.
    fn read(given: Option<&ParamValue>) -> Option<Self::Value<'_>>;
}

macro_rules! param_types {
    ($($about:literal $name:ident = $value:ty: $($given:pat => $read:expr),+;)+) => { $(
        #[doc = $about]
        #[derive(Debug, Clone, Copy)]
        pub struct $name;

        impl ParamType for $name {
            type Value<'p> = $value;

            fn read(given: Option<&ParamValue>) -> Option<Self::Value<'_>> {
                match given {
                    $($given => Some($read),)+
                    _ => None,
                }
            }
        }
    )+ };
}

param_types! {
    "A whole number; it has a default."
        Integer = usize: Some(ParamValue::Number(number)) => usize::try_from(*number).unwrap_or(usize::MAX);
    "A decimal number, or left out."
        Decimal = Option<f64>: Some(ParamValue::Decimal(number)) => Some(*number), None => None;
    "One of several words; it has a default."
        Choice = &'static str: Some(ParamValue::Word(word)) => *word;
    "One of several words, or left out."
        Word = Option<&'static str>: Some(ParamValue::Word(word)) => Some(*word), None => None;
    "Words of a comma list, in the order of the contract."
        Words = &'p [&'static str]: Some(ParamValue::Words(words)) => words.as_slice(), None => &[];
    "A date, or left out."
        Date = Option<NaiveDate>: Some(ParamValue::Date(date)) => Some(*date), None => None;
    "An instant, or left out; of a date its last, or its first where rows since then are asked for."
        Instant = Option<DateTime<Utc>>: Some(ParamValue::Instant(at)) => Some(*at), None => None;
    "`true` or `false`, or left out."
        Flag = Option<bool>: Some(ParamValue::Flag(flag)) => Some(*flag), None => None;
    "Text, or left out."
        Text = Option<&'p str>: Some(ParamValue::Text(text)) => Some(text.as_str()), None => None;
    "Text that may not be left out."
        RequiredText = &'p str: Some(ParamValue::Text(text)) => text.as_str();
    "Ids of a comma list, each once, in the order in which they were asked."
        Ids = &'p [Uuid]: Some(ParamValue::Ids(ids)) => ids.as_slice(), None => &[];
}

impl<T> Param<T> {
    const fn new(name: &'static str, kind: ParameterKind, about: &'static str) -> Self {
        Self { parameter: Parameter { name, kind, about, required: false }, value: PhantomData }
    }

    /// Its name in a query.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.parameter.name
    }

    /// As the contract lists it.
    #[must_use]
    pub const fn declared(&self) -> Parameter {
        self.parameter
    }

    /// The same with another description.
    pub(crate) const fn about(&self, about: &'static str) -> Self {
        Self { parameter: Parameter { about, ..self.parameter }, value: PhantomData }
    }

    /// The same, which may not be left out.
    const fn required<U>(&self) -> Param<U> {
        Param { parameter: Parameter { required: true, ..self.parameter }, value: PhantomData }
    }
}

impl Param<Integer> {
    /// A whole number from `min` to `max`.
    #[must_use]
    pub const fn integer(
        name: &'static str,
        (min, max): (u32, u32),
        default: u32,
        about: &'static str,
    ) -> Self {
        Self::new(name, ParameterKind::Integer { min, max, default }, about)
    }

    /// The same within other bounds.
    #[must_use]
    pub const fn within(&self, (min, max): (u32, u32), default: u32) -> Self {
        Self::integer(self.parameter.name, (min, max), default, self.parameter.about)
    }
}

impl Param<Decimal> {
    pub(crate) const fn decimal(name: &'static str, about: &'static str) -> Self {
        Self::new(name, ParameterKind::Number, about)
    }
}

impl Param<Choice> {
    /// One of these words.
    #[must_use]
    pub const fn choice(
        name: &'static str,
        words: &'static [&'static str],
        default: &'static str,
        about: &'static str,
    ) -> Self {
        Self::new(name, ParameterKind::Choice { words, default }, about)
    }
}

impl Param<Word> {
    /// One of these words, or left out.
    #[must_use]
    pub const fn word(name: &'static str, words: &'static [&'static str], about: &'static str) -> Self {
        Self::new(name, ParameterKind::Word { words }, about)
    }

    /// The same of other words.
    #[must_use]
    pub const fn among(&self, words: &'static [&'static str]) -> Self {
        Self::word(self.parameter.name, words, self.parameter.about)
    }
}

impl Param<Words> {
    pub(crate) const fn words(
        name: &'static str,
        words: &'static [&'static str],
        about: &'static str,
    ) -> Self {
        Self::new(name, ParameterKind::Choices { words }, about)
    }

    /// The same of other words.
    pub(crate) const fn among(&self, words: &'static [&'static str]) -> Self {
        Self::words(self.parameter.name, words, self.parameter.about)
    }
}

impl Param<Date> {
    pub(crate) const fn date(name: &'static str, about: &'static str) -> Self {
        Self::new(name, ParameterKind::Date, about)
    }
}

impl Param<Instant> {
    pub(crate) const fn instant(name: &'static str, about: &'static str) -> Self {
        Self::new(name, ParameterKind::Instant, about)
    }

    pub(crate) const fn since(name: &'static str, about: &'static str) -> Self {
        Self::new(name, ParameterKind::Since, about)
    }
}

impl Param<Flag> {
    pub(crate) const fn flag(name: &'static str, about: &'static str) -> Self {
        Self::new(name, ParameterKind::Boolean, about)
    }
}

impl Param<Text> {
    pub(crate) const fn text(name: &'static str, max_chars: usize, about: &'static str) -> Self {
        Self::new(name, ParameterKind::Text { max_chars }, about)
    }

    /// Names that a vocabulary gives.
    pub(crate) const fn names(name: &'static str, about: &'static str) -> Self {
        Self::new(name, ParameterKind::Names, about)
    }
}

impl Param<RequiredText> {
    pub(crate) const fn required_text(name: &'static str, max_chars: usize, about: &'static str) -> Self {
        Param::<Text>::text(name, max_chars, about).required()
    }
}

impl Param<Ids> {
    pub(crate) const fn ids(name: &'static str, max: usize, about: &'static str) -> Self {
        Self::new(name, ParameterKind::Ids { max }, about)
    }

    pub(crate) const fn required_ids(name: &'static str, max: usize, about: &'static str) -> Self {
        Self::ids(name, max, about).required()
    }
}
