-- Former names of national teams.
SELECT
    n.team AS team_slug,
    f.former_name,
    f.from_date,
    f.to_date,
    CAST(row_number() OVER (PARTITION BY n.team ORDER BY f.from_date NULLS LAST, f.former_name) AS INTEGER) AS seq
FROM soccer_internationals_former_names AS f
JOIN soccer_team_aliases AS n ON n.name = f.name AND n.is_nation
