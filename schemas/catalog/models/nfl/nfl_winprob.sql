-- Chance of the home team before each play of regulation, of games whose scores add up to the final: the
-- normal distribution of the lead, with a home field and the ball worth some points and a spread of sigma
-- over a whole game. The ball is with the team that receives a kickoff. Where no time is left the result
-- stands; overtime has no chance here.
WITH constants AS (
    SELECT
        CAST(max(value) FILTER (name = 'sigma') AS DOUBLE) AS sigma,
        CAST(max(value) FILTER (name = 'home_points') AS DOUBLE) AS h,
        CAST(max(value) FILTER (name = 'ball_points') AS DOUBLE) AS b
    FROM nfl_winprob_constants
),

whole AS (
    SELECT p.game_id FROM nfl_plays AS p JOIN nfl_games AS g USING (game_id) WHERE g.status = 'final'
    GROUP BY p.game_id, g.home_score, g.away_score
    HAVING max(p.home_score) = g.home_score AND max(p.away_score) = g.away_score
),

timed AS (
    SELECT
        p.game_id,
        p.market_id,
        p.seq,
        p.quarter,
        (4 - p.quarter) * 900 + p.clock_secs AS secs_left,
        coalesce(lag(p.home_score) OVER game, 0) AS home_score,
        coalesce(lag(p.away_score) OVER game, 0) AS away_score,
        p.home_score AS home_after,
        p.away_score AS away_after,
        CASE WHEN p.team_abbr IS NULL THEN 0 WHEN (p.team_abbr = g.home_abbr) = (p.kind = 'kickoff') THEN -1 ELSE 1 END
            AS ball
    FROM nfl_plays AS p JOIN nfl_games AS g USING (game_id) WHERE p.game_id IN (SELECT game_id FROM whole)
    WINDOW game AS (PARTITION BY p.game_id ORDER BY p.seq)
),

scaled AS (
    SELECT
        t.*,
        ((home_score - away_score) + h * secs_left / 3600.0 + b * ball) / (sigma * sqrt(secs_left / 3600.0)) AS z
    FROM timed AS t, constants WHERE quarter <= 4 AND secs_left > 0
),

density AS (
    -- Abramowitz and Stegun 26.2.17: within .00000008 of the normal distribution.
    SELECT
        *,
        1 / (1 + .2316419 * abs(z)) AS t,
        exp(-z * z / 2) / sqrt(2 * pi()) AS d
    FROM scaled
),

chances AS (
    SELECT
        game_id,
        seq,
        z,
        d * (((((1.330274429 * t - 1.821255978) * t) + 1.781477937) * t - .356563782) * t + .31938153) * t AS tail
    FROM density
),

rated AS (
    SELECT
        t.game_id,
        t.market_id,
        t.seq,
        t.quarter,
        CASE WHEN t.quarter <= 4 THEN t.secs_left END AS secs_left,
        CASE WHEN t.secs_left > 0 OR t.quarter > 4 THEN t.home_score ELSE t.home_after END AS home_score,
        CASE WHEN t.secs_left > 0 OR t.quarter > 4 THEN t.away_score ELSE t.away_after END AS away_score,
        CASE WHEN
            t.quarter = 4 AND t.secs_left = 0
            AND t.home_after <> t.away_after THEN CAST(t.home_after > t.away_after AS DOUBLE)
        WHEN c.z >= 0 THEN round(1 - c.tail, 6) WHEN c.z < 0 THEN round(c.tail, 6) END AS home_win_probability,
        CASE
            WHEN c.z >= 0 THEN least(9, CAST(floor(10 * round(1 - c.tail, 6)) AS INTEGER))
            WHEN c.z < 0 THEN CAST(floor(10 * round(c.tail, 6)) AS INTEGER)
        END AS tenth
    FROM timed AS t LEFT JOIN chances AS c USING (game_id, seq)
),

calibrated AS (
    -- Measured on the regular season after the one that the constants were fitted on.
    SELECT
        r.tenth,
        count(*) AS plays,
        count(*) FILTER (g.home_score > g.away_score) AS won
    FROM rated AS r JOIN nfl_games AS g USING (game_id)
    WHERE g.season = '2019' AND g.phase = 'regular' AND g.home_score <> g.away_score AND r.tenth IS NOT NULL
    GROUP BY r.tenth
)

SELECT
    r.* EXCLUDE (tenth),
    CAST(c.won AS DOUBLE) / c.plays AS calibration_home_won,
    c.plays AS calibration_plays
FROM rated AS r LEFT JOIN calibrated AS c USING (tenth)
