-- What every source states of a sale, in one form: a row for each row of a source. 0 means "not known" in all
-- of them but in prices. A co-operative's flat is told from its building's lot by its unit, of which floors
-- have one spelling: 2 FLR, 2ND F and FLOOR 2 are one. A unit may stand in front, as UNIT#126-014,422 SAMPLE AV.
WITH nyc AS (
    SELECT
        *,
        'nyc-sales' AS feed_source
    FROM properties_nyc_sales
    UNION ALL BY NAME
    SELECT
        *,
        'nyc-sales-older' AS feed_source
    FROM properties_nyc_older_sales
),

nyc_lines AS (
    SELECT
        *,
        regexp_extract(
            address, '^(?:UNIT|APT)[ ,#]*([0-9A-Z-]*[0-9][0-9A-Z-]*)[ ,]+([0-9].* .*)$', ['unit', 'line']
        ) AS unit_first
    FROM nyc
),

nyc_told AS (
    SELECT
        *,
        concat_ws('-', borough, block, lot) AS bbl,
        left(category, 2) AS code,
        trim(split_part(coalesce(nullif(unit_first.line, ''), address), ',', 1)) AS street_address,
        coalesce(
            nullif(apartment, ''),
            nullif(unit_first.unit, ''),
            nullif(nullif(trim(split_part(address, ',', 2)), ''), 'N/A')
        ) AS told_unit
    FROM nyc_lines
),

milwaukee AS (
    SELECT
        *,
        CASE
            WHEN kind = 'Residential' AND units = 2 THEN 'Residential 2'
            WHEN kind = 'Residential' AND units > 2 THEN 'Residential 3' ELSE kind
        END AS code,
        trim(split_part(address, ', Unit', 1)) AS street_address,
        nullif(trim(split_part(address, ', Unit', 2)), '') AS told_unit
    FROM properties_milwaukee_sales
),

sacramento AS (
    SELECT
        *,
        trim(regexp_extract(street, '^(.*?)( (?i:unit|apt) ?(.*))?$', 1)) AS street_address,
        nullif(trim(regexp_extract(street, '^(.*?)( (?i:unit|apt) ?(.*))?$', 3)), '') AS told_unit
    FROM properties_sacramento_sales
),

told AS (
    SELECT
        'nyc' AS market,
        'properties-' || feed_source AS source,
        bbl AS parcel,
        'nyc-' || bbl || CASE
            WHEN t.type = 'cooperative' AND told_unit IS NOT NULL
                THEN '-' || lower(regexp_replace(
                    regexp_replace(
                        regexp_replace(
                            upper(told_unit), '^(?:FL|FLR|FLOOR) *([0-9]+)$', '\1FLR'
                        ), '^([0-9]+) *(?:(?:ST|ND|RD|TH)? *(?:FL|FLR|FLOOR)|(?:ST|ND|RD|TH) *F)$', '\1FLR'
                    ), '[^A-Za-z0-9]+', '', 'g'
                ))
            ELSE ''
        END AS property_id,
        address AS address_stated,
        street_address AS address,
        told_unit AS unit,
        'Staten Island' AS city,
        'NY' AS state,
        printf('%05d', nullif(zip, 0)) AS zip,
        printf('%05d', nullif(zip, 0)) AS area,
        neighborhood,
        borough || '-' || block AS block,
        coalesce(t.type, 'other') AS type,
        category AS type_stated,
        coalesce(nullif(total_units, 0), nullif(residential_units, 0)) AS units,
        CAST(NULL AS INTEGER) AS beds,
        CAST(NULL AS DOUBLE) AS baths,
        nullif(gross_sqft, 0) AS floor_sqft,
        nullif(land_sqft, 0) AS lot_sqft,
        nullif(year_built, 0) AS year_built,
        CAST(NULL AS DOUBLE) AS stories,
        CAST(NULL AS BOOLEAN) AS has_stone_walls,
        CAST(NULL AS DOUBLE) AS latitude,
        CAST(NULL AS DOUBLE) AS longitude,
        sale_date AS sold_on,
        false AS is_month,
        sale_price AS price,
        captured_at,
        first_captured_at,
        file,
        line
    FROM nyc_told LEFT JOIN properties_types AS t ON t.feed = 'nyc' AND t.code = nyc_told.code
    UNION ALL
    SELECT
        'milwaukee',
        'properties-milwaukee-sales',
        taxkey,
        'milwaukee-' || taxkey,
        address,
        street_address,
        told_unit,
        'Milwaukee',
        'WI',
        NULL,
        CASE WHEN nbhd BETWEEN 1 AND 9999 THEN CAST(nbhd AS VARCHAR) END,
        left(taxkey, 3),
        left(taxkey, 6),
        coalesce(t.type, 'other'),
        concat_ws(': ', kind, style),
        nullif(units, 0),
        nullif(bedrooms, 0),
        nullif(coalesce(full_baths, 0) + coalesce(half_baths, 0) / 2.0, 0),
        nullif(finished_sqft, 0),
        nullif(lot_sqft, 0),
        nullif(year_built, 0),
        nullif(stories, 0),
        regexp_matches(exterior_wall, 'Brick|Stone'),
        NULL,
        NULL,
        sale_date,
        sale_month IS NOT NULL,
        sale_price,
        captured_at,
        first_captured_at,
        file,
        line
    FROM milwaukee LEFT JOIN properties_types AS t ON t.feed = 'milwaukee' AND t.code = milwaukee.code
    UNION ALL
    SELECT
        'sacramento',
        'properties-sacramento-list',
        NULL,
        'sacramento-' || trim(lower(regexp_replace(concat_ws('-', street, zip), '[^A-Za-z0-9]+', '-', 'g')), '-'),
        street,
        street_address,
        told_unit,
        city,
        state,
        zip,
        zip,
        NULL,
        NULL,
        coalesce(t.type, 'other'),
        kind,
        NULL,
        nullif(beds, 0),
        nullif(baths, 0),
        nullif(floor_sqft, 0),
        NULL,
        NULL,
        NULL,
        NULL,
        latitude,
        longitude,
        sale_date,
        false,
        sale_price,
        captured_at,
        first_captured_at,
        file,
        line
    FROM sacramento LEFT JOIN properties_types AS t ON t.feed = 'sacramento' AND t.code = sacramento.kind
)

SELECT
    *,
    row_number() OVER (ORDER BY captured_at, sold_on, source, file, line) AS ord
FROM told
