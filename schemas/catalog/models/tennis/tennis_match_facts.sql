-- Matches of both tours, each once: two rows of one week with the same round, winner, loser and score are one
-- match that the source lists twice, under another event or number. The row of the event with more matches
-- counts, then the first.
--
-- `last_day` is the latest day on which the match can have been played, since its own is not stated: whoever
-- asks what was known on a day may use it from the day after on. `event_week` is the Monday of the event's
-- week or its first day. A tie of a team cup is over within a week. An event of a week may begin in the
-- middle of it and end in that of the next (Delray Beach 2021, Madrid 2022), and rain adds a day. A draw of
-- two weeks may begin on a Sunday, or in its first week, and rain moved third rounds to the second Wednesday
-- and finals to the third Monday.
SELECT
    *,
    event_week + CAST(CASE
        WHEN level = 'D' AND draw_size BETWEEN 1 AND 4 THEN 7
        WHEN NOT lasts_two_weeks THEN 10 WHEN round = 'R128' THEN 8 WHEN round = 'R64' THEN 10 WHEN
            round = 'R32'
            THEN 12
        WHEN round = 'R16' THEN 13
        WHEN round = 'QF' THEN 14 ELSE 15
    END AS INTEGER) AS last_day
FROM tennis_stated_matches
QUALIFY row_number() OVER (
    PARTITION BY tour, event_week, round, winner_ref, loser_ref, score
    ORDER BY event_matches DESC, event_ref, match_number
) = 1
