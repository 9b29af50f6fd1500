-- Injury reports of a week: what the practice report and the game report say of a player. No game status
-- means that the report gives none.
SELECT
    CAST(i.season AS VARCHAR) AS season,
    CASE i.phase WHEN 'REG' THEN 'regular' ELSE 'playoffs' END AS phase,
    i.week,
    t.team_id,
    n.abbr AS team_abbr,
    i.player_id,
    coalesce(i.player_name, p.player_name) AS player_name,
    coalesce(i.position, p.position) AS position,
    i.report_injury AS game_injury,
    i.report_second_injury AS game_second_injury,
    i.report_status AS game_status,
    i.practice_injury,
    i.practice_second_injury,
    i.practice_status
FROM nfl_release_export_injuries AS i JOIN nfl_spellings AS t ON t.spelling = i.team_abbr
JOIN nfl_club_names AS n
    ON
        n.team_id = t.team_id AND i.season BETWEEN CAST(n.first_season AS INTEGER)
        AND CAST(n.last_season AS INTEGER)
LEFT JOIN nfl_players AS p USING (player_id)
