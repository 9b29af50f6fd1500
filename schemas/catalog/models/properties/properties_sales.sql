-- Sales, each once whatever number of captures and spellings state it, and why a price is none that a market
-- made: a deed without a price, a sum for form's sake, a deed over several parcels that states its whole
-- price in the row of each, or two prices of one parcel on one day.
--
-- No source names a deed. Parcels of one day and price are of one deed, or are sold by several:
--   * Of one block they are of one deed, for that is never chance, unless the price is an ordinary one of each:
--     so a builder sells new houses.
--   * Of several blocks they are sold by several, for many sales have one round price, unless the price is far
--     above an ordinary one of two of them: then those whose price is not ordinary are of one deed. And unless
--     more parcels have the price on the day than on all other days together, three and more or two of a
--     price in no whole thousands, and it is not ordinary for each.
-- A price is ordinary from 0.8 to 1.5 times the median of the two years before, by type, area and the root of
-- the floor area, and never where that is not stated; far above is 1.75 times it for two in an area and 2.5
-- times anywhere. Fewer than eight sales before are no median.
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

same_prices AS (
    SELECT
        market,
        sold_on,
        price,
        count(*) AS parcels,
        count(DISTINCT block) AS blocks,
        sum(count(*)) OVER (PARTITION BY market, price) - count(*) AS other_days
    FROM once WHERE price > 10 AND NOT is_month GROUP BY market, sold_on, price
),

ratios AS (
    SELECT
        o.property_id,
        o.sold_on,
        o.price,
        any_value(o.floor_sqft) > 0 AS has_floor,
        o.price / coalesce(
            median(e.price / sqrt(e.floor_sqft)) * sqrt(any_value(o.floor_sqft)), median(e.price)
        ) AS ratio
    FROM once AS o
    INNER JOIN same_prices AS s
        ON o.market = s.market AND o.sold_on = s.sold_on AND o.price = s.price AND s.parcels > 1
    INNER JOIN once AS e
        ON
            o.market = e.market AND o.area = e.area AND o.type = e.type AND o.sold_on > e.sold_on
            AND o.sold_on <= e.sold_on + INTERVAL 2 YEAR
    LEFT JOIN same_prices AS es
        ON e.market = es.market AND e.sold_on = es.sold_on AND e.price = es.price AND NOT e.is_month
    WHERE
        NOT o.is_month AND o.type NOT IN ('cooperative', 'vacant_land', 'other')
        AND e.price > 10 AND coalesce(es.parcels, 1) = 1
    GROUP BY o.property_id, o.sold_on, o.price HAVING count(*) >= 8
),

shared AS (
    SELECT
        o.property_id,
        o.market,
        o.area,
        o.block,
        o.sold_on,
        o.price,
        s.parcels,
        s.blocks,
        s.other_days,
        coalesce(r.has_floor AND r.ratio BETWEEN 0.8 AND 1.5, false) AS is_ordinary,
        coalesce(r.ratio > 1.75, false) AS is_above,
        coalesce(r.ratio > 2.5, false) AS is_far_above
    FROM once AS o
    INNER JOIN same_prices AS s
        ON o.market = s.market AND o.sold_on = s.sold_on AND o.price = s.price AND s.parcels > 1
    LEFT JOIN ratios AS r ON o.property_id = r.property_id AND o.sold_on = r.sold_on AND o.price = r.price
    WHERE NOT o.is_month
),

of_blocks AS (
    SELECT
        market,
        sold_on,
        price,
        block
    FROM shared WHERE block IS NOT NULL
    GROUP BY market, sold_on, price, block HAVING count(*) > 1 AND NOT bool_and(is_ordinary)
),

above_in_areas AS (
    SELECT
        market,
        sold_on,
        price
    FROM shared WHERE is_above AND area IS NOT NULL
    GROUP BY market, sold_on, price, area HAVING count(*) > 1
),

of_prices AS (
    SELECT
        market,
        sold_on,
        price,
        NOT bool_and(is_ordinary)
        AND (
            any_value(parcels) > 2 AND any_value(other_days) < any_value(parcels)
            OR any_value(parcels) = 2 AND any_value(other_days) = 0 AND price % 1000 <> 0
        ) AS is_rare,
        count(*) FILTER (WHERE is_far_above) > 1
        OR (market, sold_on, price) IN (SELECT (market, sold_on, price) FROM above_in_areas) AS is_far_above
    FROM shared WHERE blocks > 1 GROUP BY market, sold_on, price
),

packages AS (
    SELECT
        s.property_id,
        s.sold_on,
        s.price
    FROM shared AS s
    LEFT JOIN of_blocks AS b
        ON s.market = b.market AND s.sold_on = b.sold_on AND s.price = b.price AND s.block = b.block
    LEFT JOIN of_prices AS p ON s.market = p.market AND s.sold_on = p.sold_on AND s.price = p.price
    WHERE b.block IS NOT NULL OR p.is_rare OR p.is_far_above AND NOT s.is_ordinary
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
        WHEN p.price IS NOT NULL THEN 'several_parcels' WHEN y.prices > 1 THEN 'two_prices_on_a_day'
    END AS excluded_as
FROM once AS o
LEFT JOIN packages AS p ON p.property_id = o.property_id AND p.sold_on = o.sold_on AND p.price = o.price
LEFT JOIN days AS y ON y.property_id = o.property_id AND y.sold_on = o.sold_on
