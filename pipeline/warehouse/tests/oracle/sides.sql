-- What every eligible bout says of each of its two fighters, from the normalised tables alone and by the words
-- of the definition: nothing here is taken from the code that derives.

-- Lengths of the rounds in minutes, as the format says: `3 Rnd (5-5-5)`. `Unlimited Rnd (15)` has one for all.
CREATE TEMP TABLE formats AS
SELECT time_format,
    time_format LIKE 'Unlimited Rnd%' AS is_unlimited,
    CAST(string_split(regexp_extract(time_format, '\(([0-9]+(-[0-9]+)*)\)', 1), '-') AS INTEGER[]) AS minutes
FROM (SELECT DISTINCT time_format FROM results WHERE time_format LIKE '%(%)');

-- Late enough, of known duration, with statistics of both fighters.
CREATE TEMP TABLE eligible AS
SELECT b.bout_id, b.event_id, b.bout_order, b.event_date,
    CASE WHEN b.weight_class NOT IN ('CATCH_WEIGHT', 'OPEN_WEIGHT') THEN b.weight_class END AS class, b.fighter_a_id, b.fighter_b_id,
    r.outcome, r.winner_id, r.method, r.round AS last_round, r.clock_secs, f.is_unlimited, f.minutes,
    r.method <> 'overturned' AND r.outcome <> 'no_contest' AS counts,
    r.method IN ('ko_tko', 'doctor_stoppage') AS is_ko,
    r.method = 'submission' AS is_sub,
    r.method IN ('decision', 'decision_unanimous', 'decision_split', 'decision_majority') AS is_decision,
    r.method IN ('decision_split', 'decision_majority') AS is_close,
    s.rounds
FROM bouts b
JOIN results r USING (bout_id)
LEFT JOIN formats f USING (time_format)
JOIN (
    SELECT bout_id, count(DISTINCT fighter_id) AS fighters, count(DISTINCT round) AS rounds
    FROM round_stats GROUP BY bout_id
) s USING (bout_id)
WHERE b.event_date >= DATE '2000-11-17' AND r.total_secs > 0 AND s.fighters = 2;

-- Time fought in each of the first five rounds, and in all: the finished ones by the format, and the clock of the
-- last one. A round that was not reached has none.
CREATE TEMP TABLE timed AS
SELECT bout_id,
    CAST(clock_secs + coalesce(list_sum(list_transform(range(1, last_round),
        lambda k: 60 * CASE WHEN is_unlimited THEN minutes[1] ELSE minutes[k] END)), 0) AS INTEGER) AS duration_secs,
    list_transform(range(1, 6), lambda k:
        CASE WHEN k = last_round THEN clock_secs
            WHEN k > last_round THEN 0
            ELSE 60 * CASE WHEN is_unlimited THEN minutes[1] ELSE minutes[k] END
        END) AS secs,
    -- Rounds 1 and 3 both lasted their format's length, which is the same.
    coalesce((is_unlimited OR minutes[1] = minutes[3]) AND (last_round > 3 OR (last_round = 3 AND clock_secs = 60 * minutes[3])), FALSE) AS is_whole
FROM eligible;

CREATE TEMP TABLE counted AS
SELECT bout_id, fighter_id, {sums},
    CASE WHEN bool_and(control_secs IS NOT NULL) THEN sum(control_secs) END AS control_secs,
    coalesce(sum(sig_attempted) FILTER (round = 1), 0) AS r1_sig_attempted,
    coalesce(sum(sig_attempted) FILTER (round = 2), 0) AS r2_sig_attempted,
    coalesce(sum(sig_attempted) FILTER (round = 3), 0) AS r3_sig_attempted,
    coalesce(sum(sig_attempted) FILTER (round IN (4, 5)), 0) AS r4_5_sig_attempted
FROM round_stats GROUP BY bout_id, fighter_id;

-- Judges whose points are all known, by bout: margin of fighter a.
CREATE TEMP TABLE cards AS
SELECT bout_id, count(*) AS judges, sum(score_a - score_b) AS margin_a
FROM scorecards GROUP BY bout_id
HAVING bool_and(score_a IS NOT NULL AND score_b IS NOT NULL);

CREATE TEMP TABLE sides AS
SELECT e.bout_id, own.fighter_id, other.fighter_id AS opponent_id, e.event_date, e.event_id, e.bout_order, e.class,
    e.rounds,
    {own},
    -- Control counts in bouts where it is known for both.
    CASE WHEN other.control_secs IS NOT NULL THEN own.control_secs END AS control_secs,
    CASE WHEN own.control_secs IS NOT NULL THEN other.control_secs END AS o_control_secs,
    t.duration_secs,
    1 AS bouts,
    CAST(e.counts AS INTEGER) AS results,
    CAST(e.counts AND won AS INTEGER) AS wins,
    CAST(e.counts AND won AND is_ko AS INTEGER) AS ko_wins,
    CAST(e.counts AND won AND is_sub AS INTEGER) AS sub_wins,
    CAST(e.counts AND won AND (is_ko OR is_sub) AS INTEGER) AS finish_wins,
    CAST(e.counts AND lost AS INTEGER) AS losses,
    CAST(e.counts AND lost AND is_ko AS INTEGER) AS ko_losses,
    CAST(e.counts AND lost AND is_sub AS INTEGER) AS sub_losses,
    CAST(e.counts AND lost AND (is_ko OR is_sub) AS INTEGER) AS finished_losses,
    CAST(e.counts AND is_decision AS INTEGER) AS decisions,
    CAST(e.counts AND is_close AS INTEGER) AS split_or_majority,
    -- A decision without known cards does not carry them; what is no decision has none.
    CASE WHEN NOT (e.counts AND is_decision) THEN 0
        WHEN own.fighter_id = e.fighter_a_id THEN c.margin_a ELSE -c.margin_a END AS card_margin,
    CASE WHEN NOT (e.counts AND is_decision) THEN 0 ELSE c.judges * e.last_round END AS card_rounds,
    CAST(f.stance = 'SOUTHPAW' AS INTEGER) AS southpaw_bouts,
    CASE WHEN f.stance IS NOT NULL THEN 1 END AS stance_bouts,
    own.r1_sig_attempted, own.r2_sig_attempted, own.r3_sig_attempted, own.r4_5_sig_attempted,
    t.secs[1] AS r1_secs, t.secs[2] AS r2_secs, t.secs[3] AS r3_secs, t.secs[4] + t.secs[5] AS r4_5_secs,
    CASE WHEN t.is_whole THEN own.r1_sig_attempted ELSE 0 END AS whole_r1_sig_attempted,
    CASE WHEN t.is_whole THEN own.r3_sig_attempted ELSE 0 END AS whole_r3_sig_attempted
FROM (
    SELECT *, UNNEST([fighter_a_id, fighter_b_id]) AS fighter_id FROM eligible
) e
JOIN timed t USING (bout_id)
JOIN counted own ON own.bout_id = e.bout_id AND own.fighter_id = e.fighter_id
JOIN counted other ON other.bout_id = e.bout_id AND other.fighter_id <> e.fighter_id
JOIN fighters f ON f.fighter_id = other.fighter_id
LEFT JOIN cards c ON c.bout_id = e.bout_id
CROSS JOIN LATERAL (
    SELECT coalesce(e.outcome = 'win' AND e.winner_id = own.fighter_id, FALSE) AS won,
        coalesce(e.outcome = 'win' AND e.winner_id = other.fighter_id, FALSE) AS lost
);

-- A version stands for each fighter and date with eligible bouts: the day after. His class is that of his latest
-- eligible bout with a class; on one date the order is event, then place on the card.
CREATE TEMP TABLE expected_versions AS
SELECT d.fighter_id, row_number() OVER (PARTITION BY d.fighter_id ORDER BY d.event_date) AS version,
    d.event_date + 1 AS valid_from,
    (SELECT arg_max(s.class, (s.event_date, s.event_id, coalesce(s.bout_order, -1), s.bout_id)) FROM sides s
        WHERE s.fighter_id = d.fighter_id AND s.event_date <= d.event_date AND s.class IS NOT NULL) AS class,
    (SELECT count(*) FROM sides s
        WHERE s.fighter_id = d.fighter_id AND s.event_date <= d.event_date) AS eligible_bouts
FROM (SELECT DISTINCT fighter_id, event_date FROM sides) d;
