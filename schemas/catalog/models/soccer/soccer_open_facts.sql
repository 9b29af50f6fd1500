-- Goals, cards and substitutions among the events of open matches. A minute of events counts from nought.
WITH sides AS (
    SELECT
        b.match_id,
        b.source_match_id,
        n.name,
        n.team,
        CASE WHEN n.team = b.home_slug THEN 'home' ELSE 'away' END AS side
    FROM soccer_match_base AS b
    JOIN soccer_team_aliases AS n ON n.team IN (b.home_slug, b.away_slug) AND NOT n.is_nation
    WHERE b.open_id IS NOT NULL
    QUALIFY row_number() OVER (PARTITION BY b.match_id, n.name ORDER BY n.context DESC) = 1
)

SELECT
    s.match_id,
    s.source_match_id,
    e.seq,
    e.minute + 1 AS minute,
    s.side,
    s.team,
    CASE
        WHEN e.shot_outcome = 'Goal' AND e.shot_type = 'Penalty' THEN 'penalty' WHEN e.shot_outcome = 'Goal' THEN 'goal'
        WHEN e.kind = 'Own Goal For' THEN 'own_goal' WHEN e.kind = 'Substitution' THEN 'substitution'
        WHEN coalesce(e.card_behaviour, e.card_foul) = 'Yellow Card' THEN 'yellow' ELSE 'red'
    END AS kind,
    e.player_name,
    e.player_in
FROM soccer_events_open_events AS e
JOIN sides AS s ON s.source_match_id = e.source_match_id AND s.name = e.team_name
WHERE e.period < 5 AND (
    e.shot_outcome = 'Goal' OR e.kind IN ('Own Goal For', 'Substitution')
    OR coalesce(e.card_behaviour, e.card_foul) IS NOT NULL
)
