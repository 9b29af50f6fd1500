-- What a player's captured seasons come to. Titles are finals won outside of team cups, by walkover too; wins
-- and losses leave walkovers out.
SELECT
    y.player_slug,
    y.player_id,
    y.other_id,
    y.name,
    y.tour,
    min(m.season) AS first_season,
    max(m.season) AS last_season,
    CAST(count(
        *) FILTER (
        m.round = 'F' AND NOT m.is_team_event AND m.is_winner
        AND m.outcome IS DISTINCT FROM 'abandoned'
    )
    AS INTEGER) AS titles,
    CAST(count(*) FILTER (m.round = 'F' AND NOT m.is_team_event) AS INTEGER) AS finals,
    CAST(count(*) FILTER (m.is_winner AND m.is_counted) AS INTEGER) AS wins,
    CAST(count(*) FILTER (NOT m.is_winner AND m.is_counted) AS INTEGER) AS losses,
    r.rank,
    r.ranked_on,
    r.best_rank
FROM tennis_players AS y JOIN tennis_meetings AS m USING (player_slug) LEFT JOIN tennis_newest_rankings AS r
    ON r.player_id = y.player_id
GROUP BY ALL
