-- Shifts of games with an official report, each with the player who wore the number in the box of the game.
WITH reports AS (
    SELECT
        *,
        CAST(year(played_on) - CASE WHEN month(played_on) < 7 THEN 1 ELSE 0 END AS VARCHAR)
        || substr(report, 2) AS game_id,
        left(report, 1) = 'H' AS is_home,
        TRY_CAST(nullif(regexp_extract(player, '^([0-9]+) ', 1), '') AS INTEGER) AS number
    FROM nhl_html_reports_shifts
)

SELECT
    r.game_id,
    CASE WHEN r.is_home THEN g.home_abbr ELSE g.away_abbr END AS team_abbr,
    p.player_id,
    p.player_name,
    p.position,
    r.shift_number,
    CASE r.period WHEN 'OT' THEN 4 ELSE TRY_CAST(r.period AS INTEGER) END AS period,
    r.starts_secs,
    r.ends_secs
FROM reports AS r
JOIN nhl_games AS g ON g.game_id = r.game_id
JOIN nhl_jersey_numbers AS p
    ON
        p.game_id = r.game_id AND p.sweater_number = r.number
        AND p.team_abbr = CASE WHEN r.is_home THEN g.home_abbr ELSE g.away_abbr END
WHERE r.ends_secs > r.starts_secs AND r.period IN ('1', '2', '3', '4', '5', '6', '7', '8', 'OT')
