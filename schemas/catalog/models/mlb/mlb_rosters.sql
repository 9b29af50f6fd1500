-- Players of clubs by season: rosters as stated, and for a season whose rosters are not captured who has a
-- line for the club.
WITH told AS (
    SELECT
        c.team_id,
        CAST(right(r.club_year, 4) AS VARCHAR) AS season,
        p.player_id,
        p.name AS player_name,
        nullif(trim(r.position), '') AS position,
        r.bats,
        r.throws,
        CAST(NULL AS VARCHAR) AS number,
        CAST(NULL AS VARCHAR) AS status,
        'retrosheet' AS source
    FROM mlb_retrosheet_rosters AS r
    JOIN mlb_clubs AS c ON c.retro_code = left(r.club_year, 3)
    JOIN mlb_player_refs AS p
        ON p.retro_id = r.player_ref
    UNION ALL
    SELECT
        r.team_ref,
        r.season,
        r.player_ref,
        r.player_name,
        r.position,
        p.bats,
        p.throws,
        r.number,
        r.status,
        'statsapi-recorded'
    FROM mlb_statsapi_recorded_roster AS r LEFT JOIN mlb_statsapi_recorded_people AS p USING (player_ref)
    UNION ALL
    SELECT
        '119',
        CAST(year(captured_at) AS VARCHAR),
        player_ref,
        player_name,
        CASE position_group
            WHEN 'Pitchers' THEN 'P'
            WHEN 'Catchers' THEN 'C' ELSE position_group
        END,
        nullif(split_part(bat_throw, '/', 1), ''),
        nullif(split_part(bat_throw, '/', 2), ''),
        number,
        status,
        'club-notes-2025'
    FROM mlb_club_notes_2025_roster
    UNION ALL
    SELECT
        team_ref,
        season,
        player_ref,
        player_name,
        CASE
            WHEN pitch_games > 0 AND coalesce(bat_plate_appearances, 0) = 0
                THEN 'P'
        END,
        NULL,
        NULL,
        NULL,
        NULL,
        'statsapi-season-2025'
    FROM mlb_statsapi_season_2025_players WHERE team_ref IS NOT NULL
)

SELECT
    t.team_id,
    t.season,
    n.abbr,
    t.player_id,
    t.player_name,
    t.position,
    t.bats,
    t.throws,
    t.number,
    t.status,
    t.source,
    c.retro_code,
    c.espn_abbr,
    c.other_abbr
FROM told AS t JOIN mlb_clubs AS c USING (team_id) LEFT JOIN mlb_club_abbrs AS n USING (team_id, season)
