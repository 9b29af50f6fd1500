-- Minor-league players: those of the index, and those of captured plate appearances, with the club that
-- follows from their games. The index cuts some organizations to three letters; what is no club's
-- abbreviation is not known.
WITH seen AS (
    SELECT
        player_id,
        player_name,
        level
    FROM mlb_minor_player_days
    QUALIFY row_number() OVER (PARTITION BY player_id ORDER BY league_date DESC, player_group, level) = 1
)

SELECT
    coalesce(i.player_id, s.player_id) AS player_id,
    coalesce(i.player_name, s.player_name) AS name,
    coalesce(i.team_name, t.team_name) AS team_name,
    CASE WHEN i.org_abbr IN (SELECT org_abbr FROM mlb_minor_club_facts) THEN i.org_abbr END AS org_abbr,
    coalesce(l.level, s.level) AS level,
    i.position,
    i.last_game_on,
    i.season AS listed_in
FROM mlb_milb_pbp_players AS i
FULL JOIN seen AS s ON s.player_id = i.player_id
LEFT JOIN mlb_minor_batter_teams AS t ON t.player_id = s.player_id
LEFT JOIN mlb_minor_levels_by_id AS l ON l.feed_level = i.level
