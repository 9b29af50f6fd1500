-- Depth charts: the last day of a chart year on which a player stood at a place, and his rank then. A day on
-- which every team has rows and many has the whole chart; before it, only those have rows who left their
-- place.
WITH days AS (
    SELECT
        CAST(seen_at AS DATE) AS day,
        season
    FROM nfl_release_export_depth_charts
    GROUP BY 1, 2 HAVING count(DISTINCT team_abbr) = 32 AND count(*) >= 1500
),

wholes AS (
    SELECT
        season,
        max(day) AS chart_on
    FROM days GROUP BY season
)

SELECT
    CAST(d.season AS VARCHAR) AS season,
    t.team_id,
    n.abbr AS team_abbr,
    coalesce(d.player_id, d.espn_id) AS player_key,
    d.player_id,
    d.espn_id,
    coalesce(d.player_name, p.player_name) AS player_name,
    d.unit,
    d.position,
    d.position_name,
    d.slot,
    d.rank,
    CAST(d.seen_at AS DATE) AS last_seen_on,
    w.chart_on,
    CAST(d.seen_at AS DATE) = w.chart_on AS is_in_whole_chart
FROM nfl_release_export_depth_charts AS d JOIN wholes AS w USING (season)
JOIN nfl_spellings AS t ON t.spelling = d.team_abbr
JOIN nfl_club_names AS n
    ON
        n.team_id = t.team_id
        AND d.season BETWEEN CAST(n.first_season AS INTEGER) AND CAST(n.last_season AS INTEGER)
LEFT JOIN nfl_players AS p ON p.player_id = d.player_id
WHERE coalesce(d.player_id, d.espn_id) IS NOT NULL
