-- Chance of the home team after each play of regulation, of games whose plays add up to the final: the normal
-- distribution of the lead, with a home court of h points and a spread of sigma over a whole game. Neither
-- was fitted on plays: sigma is that of the final margin about the closing spread. The result stands at the
-- end; overtime has no chance here.
WITH constants AS (
    SELECT
        CAST(max(value) FILTER (name = 'sigma') AS DOUBLE) AS sigma,
        CAST(max(value) FILTER (name = 'home_points') AS DOUBLE) AS h
    FROM nba_winprob_constants
),

whole AS (
    SELECT p.game_id FROM nba_plays AS p JOIN nba_games AS g USING (game_id) WHERE g.status = 'final'
    GROUP BY p.game_id, g.home_score, g.away_score
    HAVING max(p.home_score) = g.home_score AND max(p.away_score) = g.away_score
),

timed AS (
    SELECT
        p.game_id,
        p.seq,
        p.period,
        (4 - p.period) * 720 + p.clock_secs AS secs_left,
        p.home_score,
        p.away_score,
        g.home_score AS home_final,
        g.away_score AS away_final
    FROM nba_plays AS p JOIN nba_games AS g USING (game_id)
    WHERE p.game_id IN (SELECT game_id FROM whole) AND p.home_score IS NOT NULL AND p.away_score IS NOT NULL
),

scaled AS (
    SELECT
        *,
        ((home_score - away_score) + h * secs_left / 2880.0) / (sigma * sqrt(secs_left / 2880.0)) AS z
    FROM timed, constants WHERE period <= 4 AND secs_left > 0
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
        d * (((((1.330274429 * t - 1.821255978) * t) + 1.781477937) * t - .356563782) * t + .31938153) * t AS tail,
        z
    FROM density
)

SELECT
    t.game_id,
    t.seq,
    t.period,
    CASE WHEN t.period <= 4 THEN t.secs_left END AS secs_left,
    t.home_score,
    t.away_score,
    CASE
        WHEN
            t.period = 4 AND t.secs_left = 0 AND t.home_score <> t.away_score
            THEN CAST(t.home_score > t.away_score AS DOUBLE)
        WHEN c.z >= 0 THEN round(1 - c.tail, 6) WHEN c.z < 0 THEN round(c.tail, 6)
    END AS home_win_probability
FROM timed AS t LEFT JOIN chances AS c USING (game_id, seq)
