-- Skaters by rank in each category of a regular season.
WITH long AS (
    UNPIVOT (SELECT
        season,
        player_id,
        player_name,
        team_abbr,
        gp,
        points,
        goals,
        assists,
        plus_minus,
        pim,
        hits,
        blocked_shots AS blocks,
        shots_on_goal AS shots
    FROM nhl_skater_seasons WHERE phase = 'regular')
    ON points, goals, assists, plus_minus, pim, hits, blocks, shots INTO NAME category VALUE value
)

SELECT
    *,
    rank() OVER (PARTITION BY season, category ORDER BY value DESC) AS rank
FROM long
