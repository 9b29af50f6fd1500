-- Seasons of players: sums over the captured matches of their league. Cups are left out, since the source has
-- those of few clubs. A sum of a column that a match does not record is of the others; decimals are added as
-- decimals, so that the order of rows changes nothing.
WITH sums AS (
    SELECT
        l.player_code,
        l.season,
        count(*) AS matches,
        count(*) FILTER (WHERE l.is_starter) AS starts,
        count(l.is_starter) AS known_starts,
        CAST(sum(l.minutes_played) AS INTEGER) AS minutes,
        CAST(sum(l.goals) AS INTEGER) AS goals,
        CAST(sum(l.assists) AS INTEGER) AS assists,
        CAST(sum(l.penalties_scored) AS INTEGER) AS penalties_scored,
        CAST(sum(l.penalties_missed) AS INTEGER) AS penalties_missed,
        CAST(sum(l.total_shots) AS INTEGER) AS total_shots,
        CAST(sum(l.shots_on_target) AS INTEGER) AS shots_on_target,
        CAST(sum(l.big_chances_missed) AS INTEGER) AS big_chances_missed,
        CAST(sum(l.touches) AS INTEGER) AS touches,
        CAST(sum(l.touches_opposition_box) AS INTEGER) AS touches_opposition_box,
        CAST(sum(l.accurate_passes) AS INTEGER) AS accurate_passes,
        CAST(sum(l.chances_created) AS INTEGER) AS chances_created,
        CAST(sum(l.final_third_passes) AS INTEGER) AS final_third_passes,
        CAST(sum(l.accurate_crosses) AS INTEGER) AS accurate_crosses,
        CAST(sum(l.accurate_long_balls) AS INTEGER) AS accurate_long_balls,
        CAST(sum(l.successful_dribbles) AS INTEGER) AS successful_dribbles,
        CAST(sum(l.tackles) AS INTEGER) AS tackles,
        CAST(sum(l.tackles_won) AS INTEGER) AS tackles_won,
        CAST(sum(l.interceptions) AS INTEGER) AS interceptions,
        CAST(sum(l.recoveries) AS INTEGER) AS recoveries,
        CAST(sum(l.blocks) AS INTEGER) AS blocks,
        CAST(sum(l.clearances) AS INTEGER) AS clearances,
        CAST(sum(l.headed_clearances) AS INTEGER) AS headed_clearances,
        CAST(sum(l.dribbled_past) AS INTEGER) AS dribbled_past,
        CAST(sum(l.duels_won) AS INTEGER) AS duels_won,
        CAST(sum(l.duels_lost) AS INTEGER) AS duels_lost,
        CAST(sum(l.ground_duels_won) AS INTEGER) AS ground_duels_won,
        CAST(sum(l.aerial_duels_won) AS INTEGER) AS aerial_duels_won,
        CAST(sum(l.was_fouled) AS INTEGER) AS was_fouled,
        CAST(sum(l.fouls_committed) AS INTEGER) AS fouls_committed,
        CAST(sum(l.offsides) AS INTEGER) AS offsides,
        CAST(sum(l.saves) AS INTEGER) AS saves,
        CAST(sum(l.goals_conceded) AS INTEGER) AS goals_conceded,
        CAST(sum(CAST(l.xg AS DECIMAL(12, 4))) AS DOUBLE) AS xg,
        CAST(sum(CAST(l.xa AS DECIMAL(12, 4))) AS DOUBLE) AS xa,
        CAST(sum(CAST(l.xgot AS DECIMAL(12, 4))) AS DOUBLE) AS xgot,
        CAST(sum(CAST(l.xgot_faced AS DECIMAL(12, 4))) AS DOUBLE) AS xgot_faced,
        CAST(sum(CAST(l.goals_prevented AS DECIMAL(12, 4))) AS DOUBLE) AS goals_prevented
    FROM soccer_player_lines AS l
    JOIN soccer_competitions AS k ON k.slug = l.competition AND k.code IS NOT NULL AND k.country IS NOT NULL
    GROUP BY l.player_code, l.season
)

SELECT
    p.player_slug,
    p.player_code,
    f.season,
    f.name,
    f.short_name,
    f.position,
    c.team AS team_slug,
    t.name AS team_name,
    CAST(coalesce(s.matches, 0) AS INTEGER) AS matches,
    CASE WHEN s.known_starts > 0 THEN CAST(s.starts AS INTEGER) END AS starts,
    s.* EXCLUDE (player_code, season, matches, starts, known_starts)
FROM soccer_feed_players AS f
JOIN soccer_players AS p ON p.player_code = f.player_code
LEFT JOIN soccer_feed_clubs AS c ON c.season = f.season AND c.team_code = f.team_code
LEFT JOIN soccer_team_names AS t ON t.team = c.team
LEFT JOIN sums AS s ON s.player_code = f.player_code AND s.season = f.season
