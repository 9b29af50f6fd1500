-- Umpires of games, as stated.
WITH told AS (
    SELECT
        g.game_ref AS game_id,
        v.position,
        v.umpire_id,
        CAST(NULL AS VARCHAR) AS umpire_name,
        v.place
    FROM mlb_retrosheet_games AS g,
        LATERAL (
            VALUES ('home_plate', g.umpire_plate, 1), ('first_base', g.umpire_first, 2),
            ('second_base', g.umpire_second, 3),
            ('third_base', g.umpire_third, 4), ('left_field', g.umpire_left, 5),
            ('right_field', g.umpire_right, 6)
        ) AS v (position, umpire_id, place)
    UNION ALL
    SELECT
        game_ref,
        lower(replace(position, ' ', '_')),
        umpire_ref,
        umpire_name,
        CASE position
            WHEN 'Home Plate' THEN 1 WHEN 'First Base' THEN 2 WHEN 'Second Base' THEN 3 WHEN 'Third Base' THEN 4
            WHEN 'Left Field' THEN 5 ELSE 6
        END
    FROM (
        SELECT
            game_ref,
            position,
            umpire_ref,
            umpire_name
        FROM mlb_statsapi_recorded_feed_officials
        UNION ALL
        SELECT
            game_ref,
            position,
            umpire_ref,
            umpire_name
        FROM mlb_statsapi_mock_2022_feed_officials
    )
)

SELECT * FROM told WHERE umpire_id IS NOT NULL
