-- Seasons of a team by competition. Rank and points are those of our own tables; matches that do not count
-- for a table, such as play-offs, are in the sums of a competition without a table alone.
WITH sums AS (
    SELECT
        team_slug,
        competition,
        season,
        max(competition_name) AS competition_name,
        count(*) AS played,
        count(*) FILTER (WHERE goals_for > goals_against) AS won,
        count(*)
        FILTER (WHERE goals_for = goals_against) AS drawn,
        count(*) FILTER (WHERE goals_for < goals_against) AS lost,
        sum(goals_for) AS goals_for,
        sum(goals_against) AS goals_against
    FROM soccer_team_matches WHERE goals_for IS NOT NULL
    GROUP BY team_slug, competition, season
),

tables AS (
    SELECT * FROM soccer_league_tables WHERE valid_from = newest_valid_from
)

SELECT
    s.team_slug,
    s.season,
    s.competition,
    s.competition_name,
    t.rank,
    t.points,
    CAST(coalesce(t.played, s.played) AS INTEGER) AS played,
    CAST(coalesce(t.won, s.won) AS INTEGER) AS won,
    CAST(coalesce(t.drawn, s.drawn) AS INTEGER) AS drawn,
    CAST(coalesce(t.lost, s.lost) AS INTEGER) AS lost,
    CAST(coalesce(
        t.goals_for, s.goals_for
    ) AS INTEGER) AS goals_for,
    CAST(coalesce(
        t.goals_against,
        s.goals_against
    ) AS INTEGER) AS goals_against
FROM sums AS s
LEFT JOIN tables AS t ON t.competition = s.competition AND t.season = s.season AND t.team = s.team_slug
