//! Panels as analysts read them.

mod panels;
