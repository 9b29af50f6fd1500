-- Goalies by season. A game counts in which a goalie was on the ice; a shutout is his who was alone in goal
-- and let nobody score before the shoot-out, lost or won.
WITH lines AS (
    SELECT
        *,
        row_number() OVER (PARTITION BY player_id, season, phase ORDER BY league_date DESC, game_id DESC) AS nth,
        count(*) OVER (PARTITION BY game_id, team_abbr) AS n_goalies
    FROM nhl_goalie_games LEFT JOIN (SELECT
        game_id,
        decided_in
    FROM nhl_games) USING (game_id)
    WHERE toi_secs > 0 AND phase IN ('regular', 'playoffs')
),

teams AS (
    SELECT
        team_abbr,
        season,
        phase,
        count(*) AS games
    FROM nhl_team_games WHERE result IS NOT NULL GROUP BY ALL
),

sums AS (
    SELECT
        player_id,
        season,
        phase,
        max(player_name) FILTER (nth = 1) AS player_name,
        max(team_abbr)
        FILTER (nth = 1) AS team_abbr,
        count(*) AS gp,
        count(*) FILTER (decision = 'W') AS wins,
        count(*) FILTER (decision = 'L') AS losses,
        count(*) FILTER (decision = 'O') AS ot_losses,
        sum(shots_against) AS shots_against,
        sum(saves) AS saves,
        sum(goals_against) AS goals_against,
        sum(toi_secs) AS toi_secs,
        count(*) FILTER (n_goalies = 1 AND goals_against = 0 AND (decision = 'W' OR decided_in = 'shootout'))
            AS shutouts
    FROM lines GROUP BY ALL
)

SELECT
    s.*,
    CAST(saves AS DOUBLE) / nullif(shots_against, 0) AS save_pct,
    CAST(goals_against * 3600 AS DOUBLE) / nullif(toi_secs, 0) AS gaa,
    coalesce(4 * gp >= t.games, false) AS qualified
FROM sums AS s LEFT JOIN teams AS t USING (team_abbr, season, phase)
