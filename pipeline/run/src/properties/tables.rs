//! A book of properties from the tables that models made.

use arrow::array::RecordBatch;
use fdna_lake::{Lake, SnapshotId};
use fdna_schemas::{ColumnError, TableReader};
use fdna_valuation::{PropertyBook, PropertyFacts, PropertyRecord, SaleRecord, Spelling, ValuationConstants};

use crate::current_snapshot::require_current;
use crate::product::Product;

const RECORDS: &str = "properties_records";
const SALES: &str = "properties_sales";
const ADDRESSES: &str = "properties_addresses";

/// Reads a book; `read` gives a table by name.
///
/// # Errors
/// A table cannot be read, or is another than its contract says.
pub fn read_book(read: impl Fn(&str) -> anyhow::Result<RecordBatch>) -> anyhow::Result<PropertyBook> {
    let (of_records, of_sales, of_addresses) = (read(RECORDS)?, read(SALES)?, read(ADDRESSES)?);
    let records = read_records(&TableReader::new(RECORDS, &of_records))?;
    let sales = read_sales(&TableReader::new(SALES, &of_sales))?;
    let spellings = read_spellings(&TableReader::new(ADDRESSES, &of_addresses))?;
    Ok(PropertyBook::new(ValuationConstants::built_in()?, records, &spellings, sales))
}

/// The book of what a lake publishes, with the id of the snapshot.
///
/// # Errors
/// Nothing is published, or the lake cannot be read.
pub fn read_published(lake: &Lake) -> anyhow::Result<(PropertyBook, SnapshotId)> {
    let manifest = require_current(lake, Product::Properties)?;
    let book = read_book(|name| Ok(lake.read_snapshot_table(&manifest, name)?))?;
    Ok((book, manifest.id))
}

fn to_owned_text(text: Option<&str>) -> Option<String> {
    text.map(str::to_owned)
}

fn read_records(table: &TableReader<'_>) -> Result<Vec<PropertyRecord>, ColumnError> {
    let texts = |name| table.texts(name);
    let strings = |name| table.strings(name);
    let (ids, sources, stated, addresses) =
        (texts("property_id")?, texts("source")?, texts("address_stated")?, texts("address")?);
    let (cities, states, parcels, units) =
        (texts("city")?, texts("state")?, strings("parcel")?, strings("unit")?);
    let (zips, types) = (strings("zip")?, strings("type_stated")?);
    let (sold, prices) = (table.dates("last_sold_on")?, table.int64s("last_price")?);
    let captured = table.times("captured_at")?;
    let coordinates = ["latitude", "longitude", "east_feet", "north_feet"].map(|name| table.floats(name));
    let [latitudes, longitudes, east, north] = coordinates;
    let (latitudes, longitudes, east, north) = (latitudes?, longitudes?, east?, north?);
    let record = |(row, facts): (usize, PropertyFacts)| PropertyRecord {
        id: ids[row].to_owned(),
        source: sources[row].to_owned(),
        parcel: to_owned_text(parcels[row]),
        address_stated: stated[row].to_owned(),
        address: addresses[row].to_owned(),
        unit: to_owned_text(units[row]),
        city: cities[row].to_owned(),
        state: states[row].to_owned(),
        zip: to_owned_text(zips[row]),
        type_stated: to_owned_text(types[row]),
        facts: PropertyFacts {
            latitude: latitudes[row],
            longitude: longitudes[row],
            east_feet: east[row],
            north_feet: north[row],
            ..facts
        },
        last_sale: sold[row].zip(prices[row]),
        captured_at: captured[row],
    };
    Ok(read_facts(table)?.into_iter().enumerate().map(record).collect())
}

fn read_sales(table: &TableReader<'_>) -> Result<Vec<SaleRecord>, ColumnError> {
    let (properties, addresses) = (table.texts("property_id")?, table.texts("address")?);
    let (days, prices) = (table.days("sold_on")?, table.whole_numbers("price")?);
    let (excluded, captured) = (table.strings("excluded_as")?, table.times("captured_at")?);
    let sale = |(row, facts): (usize, PropertyFacts)| SaleRecord {
        property: properties[row].to_owned(),
        sold_on: days[row],
        price: prices[row],
        excluded_as: to_owned_text(excluded[row]),
        address: addresses[row].to_owned(),
        facts,
        captured_on: captured[row].date_naive(),
    };
    Ok(read_facts(table)?.into_iter().enumerate().map(sale).collect())
}

/// The facts that both tables state.
fn read_facts(table: &TableReader<'_>) -> Result<Vec<PropertyFacts>, ColumnError> {
    let (markets, types) = (table.texts("market")?, table.texts("type")?);
    let (areas, neighborhoods, blocks) =
        (table.strings("area")?, table.strings("neighborhood")?, table.strings("block")?);
    let (units, beds, floors) = (table.int32s("units")?, table.int32s("beds")?, table.int32s("floor_sqft")?);
    let (lots, years) = (table.int32s("lot_sqft")?, table.int32s("year_built")?);
    let (baths, stories, walls) =
        (table.floats("baths")?, table.floats("stories")?, table.bools("has_stone_walls")?);
    let facts_of = |row: usize| PropertyFacts {
        market: markets[row].to_owned(),
        area: to_owned_text(areas[row]),
        neighborhood: to_owned_text(neighborhoods[row]),
        block: to_owned_text(blocks[row]),
        kind: types[row].to_owned(),
        units: units[row],
        beds: beds[row],
        baths: baths[row],
        floor_sqft: floors[row],
        lot_sqft: lots[row],
        year_built: years[row],
        stories: stories[row],
        has_stone_walls: walls[row],
        ..PropertyFacts::default()
    };
    Ok((0..table.rows()).map(facts_of).collect())
}

fn read_spellings(table: &TableReader<'_>) -> Result<Vec<Spelling>, ColumnError> {
    let columns = ["property_id", "address", "unit"].map(|name| table.texts(name));
    let [properties, addresses, units] = columns;
    let (properties, addresses, units) = (properties?, addresses?, units?);
    let spelling = |row: usize| Spelling {
        property: properties[row].to_owned(),
        address: addresses[row].to_owned(),
        unit: units[row].to_owned(),
    };
    Ok((0..table.rows()).map(spelling).collect())
}
