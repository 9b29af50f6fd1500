-- Every spelling under which a property was ever stated.
SELECT
    property_id,
    address,
    coalesce(unit, '') AS unit,
    arg_max(city, ord) AS city,
    arg_max(state, ord) AS state,
    coalesce(zip, '') AS zip
FROM properties_deeds GROUP BY property_id, address, coalesce(unit, ''), coalesce(zip, '')
