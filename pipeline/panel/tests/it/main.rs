//! Panels as analysts read them, and their as-of sums.

mod panels;
mod ratios;
