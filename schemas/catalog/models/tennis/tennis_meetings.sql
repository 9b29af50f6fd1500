-- Matches from the side of each player. Sets and tie-breaks are counted from the score: a set counts when it
-- was finished, and those of walkovers are none. A match tie-break is a set.
WITH sides AS (
    SELECT
        m.*,
        true AS is_winner,
        winner_slug AS player_slug,
        winner_name AS player_name,
        loser_slug AS opponent_slug,
        loser_name AS opponent_name,
        winner_rank AS player_rank,
        loser_rank AS opponent_rank
    FROM tennis_matches AS m
    UNION ALL
    SELECT
        m.*,
        false,
        loser_slug,
        loser_name,
        winner_slug,
        winner_name,
        loser_rank,
        winner_rank
    FROM tennis_matches AS m
),

counted AS (
    SELECT
        *,
        list_filter(
            coalesce(sets, []), LAMBDA s: greatest(s.winner, s.loser) >= 6
            AND (abs(s.winner - s.loser) >= 2 OR greatest(s.winner, s.loser) >= 7)
        ) AS finished
    FROM sides
)

SELECT
    player_slug,
    opponent_slug,
    match_id,
    y.player_id,
    y.other_id,
    z.player_id AS opponent_id,
    z.other_id AS opponent_other_id,
    player_name,
    opponent_name,
    player_rank,
    opponent_rank,
    is_winner,
    outcome,
    coalesce(outcome = 'walkover', false) AS is_walkover,
    is_counted,
    score,
    c.tour,
    season,
    event_slug,
    event_name,
    event_week,
    last_day,
    is_team_event,
    level,
    surface,
    round,
    round_place,
    match_number,
    minutes,
    CAST(len(list_filter(finished, LAMBDA s: (s.winner > s.loser) = is_winner)) AS INTEGER) AS sets_won,
    CAST(len(list_filter(finished, LAMBDA s: (s.winner > s.loser) <> is_winner)) AS INTEGER) AS sets_lost,
    CAST(
        len(list_filter(finished, LAMBDA s: s.tie_break_of_loser IS NOT NULL AND (s.winner > s.loser) = is_winner))
        AS INTEGER)
        AS tie_breaks_won,
    CAST(
        len(list_filter(finished, LAMBDA s: s.tie_break_of_loser IS NOT NULL AND (s.winner > s.loser) <> is_winner))
        AS INTEGER)
        AS tie_breaks_lost
FROM counted AS c
JOIN tennis_players AS y USING (player_slug)
JOIN tennis_players AS z ON z.player_slug = c.opponent_slug
