-- Sales, each once whatever number of captures and spellings state it, and why a price is none that a market
-- made: a deed without a price, a sum for form's sake, a deed over several parcels that states its whole
-- price in the row of each, or two prices of one parcel on one day. No source names a deed. In New York
-- parcels of one block, day and price are of one; anywhere are those of several blocks if more parcels have
-- that price on the day than on all other days together: three and more, or two of a price that is in no
-- whole thousands.
WITH once AS (
    SELECT
        property_id,
        sold_on,
        price,
        arg_max(market, ord) AS market,
        arg_max(source, ord) AS source,
        arg_max(area, ord) AS area,
        arg_max(neighborhood, ord) AS neighborhood,
        arg_max(block, ord) AS block,
        arg_max(address, ord) AS address,
        arg_max(unit, ord) AS unit,
        arg_max(type, ord) AS type,
        arg_max(units, ord) AS units,
        arg_max(beds, ord) AS beds,
        arg_max(baths, ord) AS baths,
        arg_max(floor_sqft, ord) AS floor_sqft,
        arg_max(lot_sqft, ord) AS lot_sqft,
        arg_max(year_built, ord) AS year_built,
        arg_max(stories, ord) AS stories,
        arg_max(has_stone_walls, ord) AS has_stone_walls,
        bool_and(is_month) AS is_month,
        min(first_captured_at) AS captured_at
    FROM properties_deeds GROUP BY property_id, sold_on, price
),

deeds AS (
    SELECT
        market,
        block,
        sold_on,
        price,
        count(DISTINCT property_id) AS parcels
    FROM once WHERE market = 'nyc' AND price > 10 GROUP BY market, block, sold_on, price
),

priced AS (
    SELECT
        market,
        sold_on,
        price,
        count(DISTINCT property_id) AS parcels,
        count(DISTINCT block) AS blocks,
        sum(count(DISTINCT property_id)) OVER (PARTITION BY market, price) - count(DISTINCT property_id) AS other_days
    FROM once WHERE price > 10 AND NOT is_month GROUP BY market, sold_on, price
),

packages AS (
    SELECT
        market,
        sold_on,
        price
    FROM priced
    WHERE blocks > 1 AND (parcels > 2 AND other_days < parcels OR parcels = 2 AND other_days = 0 AND price % 1000 <> 0)
),

days AS (
    SELECT
        property_id,
        sold_on,
        count(*) AS prices
    FROM once
    WHERE price > 10 AND NOT is_month
    GROUP BY property_id, sold_on
)

SELECT
    o.*,
    CASE
        WHEN o.price <= 0 THEN 'no_price' WHEN o.price <= 10 THEN 'nominal_price'
        WHEN d.parcels > 1 OR p.price IS NOT NULL AND NOT o.is_month THEN 'several_parcels' WHEN
            y.prices > 1
            THEN 'two_prices_on_a_day'
    END AS excluded_as
FROM once AS o
LEFT JOIN deeds AS d ON d.market = o.market AND d.block = o.block AND d.sold_on = o.sold_on AND d.price = o.price
LEFT JOIN packages AS p ON p.market = o.market AND p.sold_on = o.sold_on AND p.price = o.price
LEFT JOIN days AS y ON y.property_id = o.property_id AND y.sold_on = o.sold_on
