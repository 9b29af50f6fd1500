-- Abbreviations of clubs by season; that of one club changed with its move.
SELECT DISTINCT
    c.team_id,
    n.season,
    CASE WHEN c.team_id = '133' AND n.season < '2025' THEN 'OAK' ELSE c.abbr END AS abbr
FROM mlb_clubs
    AS c, (
    SELECT DISTINCT season FROM mlb_source_games
    UNION
    SELECT season FROM mlb_team_names
    UNION
    SELECT CAST(year(captured_at) AS VARCHAR) FROM mlb_club_notes_2025_roster
) AS n
