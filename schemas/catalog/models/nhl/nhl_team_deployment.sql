-- Skaters of a team in its newest season, over its games and over the last ten of them. Shares are of
-- integers, summed and divided once.
WITH lines AS (
    SELECT
        s.*,
        sum(s.toi_secs) OVER (PARTITION BY s.game_id, s.team_abbr) AS team_toi,
        dense_rank() OVER (PARTITION BY s.team_abbr ORDER BY s.season DESC) AS nth_season
    FROM nhl_skater_games AS s WHERE s.phase = 'regular'
),

counted AS (
    SELECT
        *,
        dense_rank() OVER (PARTITION BY team_abbr ORDER BY league_date DESC, game_id DESC) AS nth_game,
        row_number() OVER (PARTITION BY team_abbr, player_id ORDER BY league_date DESC, game_id DESC) AS nth
    FROM lines WHERE nth_season = 1
)

SELECT
    team_abbr,
    max(season) AS season,
    player_id,
    max(player_name) FILTER (nth = 1) AS player_name,
    max(position) FILTER (nth = 1) AS position,
    count(*) AS gp,
    CAST(sum(toi_secs) AS DOUBLE) / count(*) AS toi_per_game_secs,
    CAST(sum(toi_secs) AS DOUBLE) / nullif(sum(team_toi), 0) AS toi_share,
    count(*) FILTER (nth_game <= 10) AS last10_gp,
    CAST(
        sum(toi_secs) FILTER (nth_game <= 10) AS DOUBLE) / nullif(
        count(*) FILTER (nth_game <= 10),
        0
    ) AS last10_toi_per_game_secs
FROM counted GROUP BY team_abbr, player_id
