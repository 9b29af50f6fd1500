//! Whom and what a text is about.
