-- Lines of players in matches, cleaned. The later files write 0 where nothing was recorded: minutes of coming
-- on and going off are known where one stands for going off, and won tackles where anybody of the match has
-- some. A player's club is that of the season's list; where it did not play the match, he came from another,
-- and his side is not known.
WITH lines AS (
    SELECT
        l.*,
        f.season,
        f.competition,
        b.match_id,
        b.match_date,
        b.home_slug,
        b.away_slug,
        p.player_code,
        c.team AS listed_team,
        sum(l.tackles_won) OVER (PARTITION BY l.source_match_id) > 0 AS has_tackles_won,
        -- Starts are stated where eleven of each side did, or of one: of clubs of other leagues there are no
        -- lines.
        count(*) FILTER (WHERE l.start_min = 0 AND l.finish_min > 0) OVER (PARTITION BY l.source_match_id)
        IN (11, 22) AS has_starts
    FROM soccer_league_player_matches_lines AS l
    JOIN soccer_feed_matches AS f ON f.source_match_id = l.source_match_id
    JOIN soccer_match_base AS b ON b.feed_id = f.source_match_id
    JOIN soccer_feed_players AS p ON p.season = f.season AND p.player_ref = l.player_ref
    LEFT JOIN soccer_feed_clubs AS c ON c.season = f.season AND c.team_code = p.team_code
)

SELECT
    source_match_id,
    match_id,
    season,
    competition,
    match_date,
    player_code,
    home_slug,
    away_slug,
    CASE WHEN listed_team IN (home_slug, away_slug) THEN listed_team END AS team,
    CASE WHEN has_starts THEN start_min = 0 AND finish_min > 0 END AS is_starter,
    CASE WHEN
        has_starts THEN start_min END AS from_minute,
    CASE
        WHEN
            has_starts
            AND finish_min > 0 THEN finish_min
    END AS to_minute,
    minutes_played,
    goals,
    assists,
    penalties_scored,
    penalties_missed,
    total_shots,
    shots_on_target,
    xg,
    xa,
    xgot,
    big_chances_missed,
    touches,
    touches_opposition_box,
    accurate_passes,
    chances_created,
    final_third_passes,
    accurate_crosses,
    accurate_long_balls,
    successful_dribbles,
    tackles,
    CASE WHEN has_tackles_won THEN tackles_won END AS tackles_won,
    interceptions,
    recoveries,
    blocks,
    clearances,
    headed_clearances,
    dribbled_past,
    duels_won,
    duels_lost,
    ground_duels_won,
    aerial_duels_won,
    was_fouled,
    fouls_committed,
    offsides,
    saves,
    goals_conceded,
    xgot_faced,
    goals_prevented
FROM lines
