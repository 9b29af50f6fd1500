-- Seasons of players: sums over the captured matches of their league. Cups are left out, since the source has those of
-- few clubs. A sum of a column that a match does not record is of the others; decimals are added as decimals, so that the
-- order of rows changes nothing.
WITH sums AS (
    SELECT l.player_code, l.season, count(*) AS matches, count(*) FILTER (WHERE l.is_starter) AS starts,
        count(l.is_starter) AS known_starts,
           sum(l.minutes_played) AS minutes,
           sum(l.goals) AS goals, sum(l.assists) AS assists, sum(l.penalties_scored) AS penalties_scored,
               sum(l.penalties_missed) AS penalties_missed,
           sum(l.total_shots) AS total_shots, sum(l.shots_on_target) AS shots_on_target,
               sum(l.big_chances_missed) AS big_chances_missed, sum(l.touches) AS touches,
           sum(l.touches_opposition_box) AS touches_opposition_box, sum(l.accurate_passes) AS accurate_passes,
               sum(l.chances_created) AS chances_created, sum(l.final_third_passes) AS final_third_passes,
           sum(l.accurate_crosses) AS accurate_crosses, sum(l.accurate_long_balls) AS accurate_long_balls,
               sum(l.successful_dribbles) AS successful_dribbles, sum(l.tackles) AS tackles,
           sum(l.tackles_won) AS tackles_won, sum(l.interceptions) AS interceptions, sum(l.recoveries) AS recoveries,
               sum(l.blocks) AS blocks,
           sum(l.clearances) AS clearances, sum(l.headed_clearances) AS headed_clearances,
               sum(l.dribbled_past) AS dribbled_past, sum(l.duels_won) AS duels_won,
           sum(l.duels_lost) AS duels_lost, sum(l.ground_duels_won) AS ground_duels_won,
               sum(l.aerial_duels_won) AS aerial_duels_won, sum(l.was_fouled) AS was_fouled,
           sum(l.fouls_committed) AS fouls_committed, sum(l.offsides) AS offsides, sum(l.saves) AS saves,
               sum(l.goals_conceded) AS goals_conceded,
           sum(CAST(l.xg AS DECIMAL(12, 4))) AS xg, sum(CAST(l.xa AS DECIMAL(12, 4))) AS xa,
               sum(CAST(l.xgot AS DECIMAL(12, 4))) AS xgot, sum(CAST(l.xgot_faced AS DECIMAL(12, 4))) AS xgot_faced,
               sum(CAST(l.goals_prevented AS DECIMAL(12, 4))) AS goals_prevented
    FROM soccer_player_lines AS l
    JOIN soccer_competitions AS k ON k.slug = l.competition AND k.code IS NOT NULL AND k.country IS NOT NULL
    GROUP BY l.player_code, l.season
)
SELECT p.player_slug, p.player_code, f.season, f.name, f.short_name, f.position, c.team AS team_slug, t.name AS team_name,
       CAST(coalesce(s.matches, 0) AS INTEGER) AS matches, CASE
           WHEN s.known_starts > 0 THEN CAST(s.starts AS INTEGER) END AS starts,
       CAST(s.minutes AS INTEGER) AS minutes,
       CAST(s.goals AS INTEGER) AS goals, CAST(s.assists AS INTEGER) AS assists,
           CAST(s.penalties_scored AS INTEGER) AS penalties_scored,
       CAST(s.penalties_missed AS INTEGER) AS penalties_missed, CAST(s.total_shots AS INTEGER) AS total_shots,
           CAST(s.shots_on_target AS INTEGER) AS shots_on_target,
       CAST(s.big_chances_missed AS INTEGER) AS big_chances_missed, CAST(s.touches AS INTEGER) AS touches,
           CAST(s.touches_opposition_box AS INTEGER) AS touches_opposition_box,
       CAST(s.accurate_passes AS INTEGER) AS accurate_passes, CAST(s.chances_created AS INTEGER) AS chances_created,
           CAST(s.final_third_passes AS INTEGER) AS final_third_passes,
       CAST(s.accurate_crosses AS INTEGER) AS accurate_crosses,
           CAST(s.accurate_long_balls AS INTEGER) AS accurate_long_balls,
           CAST(s.successful_dribbles AS INTEGER) AS successful_dribbles,
       CAST(s.tackles AS INTEGER) AS tackles, CAST(s.tackles_won AS INTEGER) AS tackles_won,
           CAST(s.interceptions AS INTEGER) AS interceptions,
       CAST(s.recoveries AS INTEGER) AS recoveries, CAST(s.blocks AS INTEGER) AS blocks,
           CAST(s.clearances AS INTEGER) AS clearances,
       CAST(s.headed_clearances AS INTEGER) AS headed_clearances, CAST(s.dribbled_past AS INTEGER) AS dribbled_past,
           CAST(s.duels_won AS INTEGER) AS duels_won,
       CAST(s.duels_lost AS INTEGER) AS duels_lost, CAST(s.ground_duels_won AS INTEGER) AS ground_duels_won,
           CAST(s.aerial_duels_won AS INTEGER) AS aerial_duels_won,
       CAST(s.was_fouled AS INTEGER) AS was_fouled, CAST(s.fouls_committed AS INTEGER) AS fouls_committed,
           CAST(s.offsides AS INTEGER) AS offsides,
       CAST(s.saves AS INTEGER) AS saves, CAST(s.goals_conceded AS INTEGER) AS goals_conceded,
       CAST(s.xg AS DOUBLE) AS xg, CAST(s.xa AS DOUBLE) AS xa, CAST(s.xgot AS DOUBLE) AS xgot,
           CAST(s.xgot_faced AS DOUBLE) AS xgot_faced, CAST(s.goals_prevented AS DOUBLE) AS goals_prevented
FROM soccer_feed_players AS f
JOIN soccer_players AS p ON p.player_code = f.player_code
LEFT JOIN soccer_feed_clubs AS c ON c.season = f.season AND c.team_code = f.team_code
LEFT JOIN soccer_team_names AS t ON t.team = c.team
LEFT JOIN sums AS s ON s.player_code = f.player_code AND s.season = f.season
