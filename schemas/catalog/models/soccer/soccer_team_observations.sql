-- What DNA of teams is made of: a row for each team and league match with statistics, once with all matches
-- and once with those at home or away. `o_` is the opponent's. Expected goals are counted in ten thousandths
-- and possession in tenths of a percent, since the engine sums whole numbers.
WITH stated AS (
    SELECT
        b.home_slug,
        b.away_slug,
        b.home_score,
        b.away_score,
        b.season,
        b.match_date,
        m.*
    FROM soccer_league_player_matches_matches AS m
    JOIN soccer_match_base AS b ON b.feed_id = m.source_match_id
    JOIN soccer_competitions AS k ON k.slug = b.competition AND k.code IS NOT NULL AND k.country IS NOT NULL
    WHERE b.feed_id NOT IN (SELECT feed_id FROM soccer_unfinished_feeds)
),

sides AS (
    SELECT
        season,
        match_date,
        unnest([
            {
                'team_slug': home_slug, 'venue': 'home', 'goals': home_score, 'o_goals': away_score,
                'xg': home_expected_goals_xg, 'o_xg': away_expected_goals_xg, 'set_play_xg': home_xg_set_play,
                'shots': home_total_shots, 'o_shots': away_total_shots,
                'shots_on_target': home_shots_on_target, 'o_shots_on_target': away_shots_on_target,
                'big_chances': home_big_chances, 'o_big_chances': away_big_chances, 'possession': home_possession,
                'box_touches': home_touches_in_opposition_box, 'o_box_touches': away_touches_in_opposition_box,
                'o_passes': away_passes, 'fouls': home_fouls_committed, 'interceptions': home_interceptions,
                'tackles_won': CASE WHEN home_tackles_won + away_tackles_won > 0 THEN home_tackles_won END
            },
            {
                'team_slug': away_slug, 'venue': 'away', 'goals': away_score, 'o_goals': home_score,
                'xg': away_expected_goals_xg, 'o_xg': home_expected_goals_xg, 'set_play_xg': away_xg_set_play,
                'shots': away_total_shots, 'o_shots': home_total_shots,
                'shots_on_target': away_shots_on_target, 'o_shots_on_target': home_shots_on_target,
                'big_chances': away_big_chances, 'o_big_chances': home_big_chances, 'possession': away_possession,
                'box_touches': away_touches_in_opposition_box, 'o_box_touches': home_touches_in_opposition_box,
                'o_passes': home_passes, 'fouls': away_fouls_committed, 'interceptions': away_interceptions,
                'tackles_won': CASE WHEN home_tackles_won + away_tackles_won > 0 THEN away_tackles_won END
            }
        ], recursive := true)
    FROM stated
)

SELECT
    s.team_slug,
    v.venue,
    s.season,
    s.match_date,
    1 AS matches,
    s.goals,
    s.o_goals,
    CAST(round(s.xg * 10000) AS INTEGER) AS xg_e4,
    CAST(round(s.o_xg * 10000) AS INTEGER) AS o_xg_e4,
    CAST(round(s.set_play_xg * 10000) AS INTEGER) AS set_play_xg_e4,
    s.shots,
    s.o_shots,
    s.shots_on_target,
    s.o_shots_on_target,
    s.big_chances,
    s.o_big_chances,
    CAST(round(s.possession * 10) AS INTEGER) AS possession_e3,
    s.box_touches,
    s.o_box_touches,
    s.o_passes,
    s.fouls,
    s.interceptions,
    s.tackles_won
FROM sides AS s JOIN (VALUES ('all'), ('home'), ('away')) AS v (venue) ON v.venue IN ('all', s.venue)
