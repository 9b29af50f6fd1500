-- Meetings of two players added up: in all, by surface and by level. Retirements count, walkovers stand
-- apart.
WITH split AS (
    SELECT
        *,
        'all' AS scope,
        'all' AS scope_value
    FROM tennis_meetings
    UNION ALL
    SELECT
        *,
        'surface',
        surface
    FROM tennis_meetings WHERE surface IS NOT NULL
    UNION ALL
    SELECT
        *,
        'level',
        level
    FROM tennis_meetings
)

SELECT
    player_slug,
    opponent_slug,
    scope,
    scope_value,
    min(player_id) AS player_id,
    min(other_id) AS other_id,
    min(opponent_id) AS opponent_id,
    min(opponent_other_id) AS opponent_other_id,
    CAST(count(*) FILTER (is_counted AND is_winner) AS INTEGER) AS wins,
    CAST(count(*) FILTER (is_counted AND NOT is_winner) AS INTEGER) AS losses,
    CAST(count(*) FILTER (is_walkover AND is_winner) AS INTEGER) AS walkovers_won,
    CAST(count(*) FILTER (is_walkover AND NOT is_winner) AS INTEGER) AS walkovers_lost,
    CAST(sum(sets_won) AS INTEGER) AS sets_won,
    CAST(sum(sets_lost) AS INTEGER) AS sets_lost,
    CAST(sum(tie_breaks_won) AS INTEGER) AS tie_breaks_won,
    CAST(sum(tie_breaks_lost) AS INTEGER) AS tie_breaks_lost
FROM split GROUP BY player_slug, opponent_slug, scope, scope_value
