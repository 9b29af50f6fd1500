//! Indexes that the routes need of a table.

use fdna_schemas::Table;

use crate::RouteCatalog;
use crate::data::{DataPart, RouteData};
use crate::file::FilterOp;
use crate::table::TableNeeds;

impl RouteCatalog {
    /// What the routes ask of a table.
    pub(crate) fn needs_of(&self, table: &Table) -> TableNeeds {
        let mut needs = TableNeeds::default();
        for data in self.data() {
            for entity in data.entities.iter().flatten().filter(|entity| entity.table.name == table.name) {
                needs.equal.extend(&entity.columns);
            }
            data.parts
                .iter()
                .filter(|part| part.table.name == table.name)
                .for_each(|part| needs.add(data, part));
        }
        needs
    }
}

impl TableNeeds {
    fn add(&mut self, data: &RouteData, part: &DataPart) {
        self.equal.extend(part.path.iter().flatten().chain(&part.today));
        for (filter, columns) in data.filters.iter().zip(&part.filters) {
            match filter.op {
                FilterOp::Eq => self.equal.extend(columns),
                FilterOp::Search => self.searched.extend(columns),
                FilterOp::From | FilterOp::To | FilterOp::AsOf | FilterOp::Rank => {}
            }
        }
        self.equal.extend(part.nested.iter().map(|nested| nested.by));
        if part.path.is_empty() && part.nested.is_none() && !part.order.0.is_empty() {
            self.orders.insert(part.order.clone());
        }
    }
}
