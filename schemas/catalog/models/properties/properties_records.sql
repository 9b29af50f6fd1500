-- Properties: of each fact the newest that is known, and the last sale whose price a market made. A floor
-- area that no sale states is that of the roll, where it has one of the lot.
WITH told AS (
    SELECT
        property_id,
        arg_max(market, ord) AS market,
        arg_max(source, ord) AS source,
        arg_max(parcel, ord) AS parcel,
        arg_max(address_stated, ord) AS address_stated,
        arg_max(address, ord) AS address,
        arg_max(unit, ord) AS unit,
        arg_max(city, ord) AS city,
        arg_max(state, ord) AS state,
        arg_max(zip, ord) AS zip,
        arg_max(area, ord) AS area,
        arg_max(neighborhood, ord) AS neighborhood,
        arg_max(block, ord) AS block,
        arg_max(type, ord) AS type,
        arg_max(type_stated, ord) AS type_stated,
        arg_max(units, ord) AS units,
        arg_max(beds, ord) AS beds,
        arg_max(baths, ord) AS baths,
        arg_max(floor_sqft, ord) AS floor_sqft,
        arg_max(lot_sqft, ord) AS lot_sqft,
        arg_max(year_built, ord) AS year_built,
        arg_max(stories, ord) AS stories,
        arg_max(has_stone_walls, ord) AS has_stone_walls,
        arg_max(latitude, ord) AS latitude,
        arg_max(longitude, ord) AS longitude,
        max(captured_at) AS captured_at
    FROM properties_deeds GROUP BY property_id
),

roll AS (
    SELECT
        concat_ws('-', borough, block, lot) AS parcel,
        max(gross_sqft) AS gross_sqft
    FROM properties_nyc_sizes
    WHERE gross_sqft > 0 GROUP BY 1 HAVING count(DISTINCT gross_sqft) = 1
),

last_sales AS (
    SELECT
        property_id,
        sold_on,
        price
    FROM properties_sales WHERE excluded_as IS NULL
    QUALIFY row_number() OVER (PARTITION BY property_id ORDER BY sold_on DESC, price DESC) = 1
)

SELECT
    t.* REPLACE (
        coalesce(t.floor_sqft, r.gross_sqft) AS floor_sqft, coalesce(t.units, nullif(p.units, 0)) AS units,
        coalesce(t.beds, nullif(p.bedrooms, 0)) AS beds
    ),
    p.east_feet,
    p.north_feet,
    s.sold_on AS last_sold_on,
    s.price AS last_price
FROM told AS t
LEFT JOIN roll AS r ON t.market = 'nyc' AND t.type NOT IN ('condominium', 'cooperative') AND t.parcel = r.parcel
LEFT JOIN properties_milwaukee_parcels AS p ON t.market = 'milwaukee' AND t.parcel = p.taxkey
LEFT JOIN last_sales AS s ON s.property_id = t.property_id
