-- Lines of players in a week, or in a season where the list has one. An empty field is no event, or not
-- stated. Who has no line at all is left out.
WITH lines AS (
    SELECT
        span,
        profile_id,
        player_name,
        position,
        team_abbr,
        opponent,
        passing_yards,
        passing_touchdowns,
        interceptions_thrown,
        rushing_yards,
        rushing_touchdowns,
        carries,
        receptions,
        receiving_yards,
        receiving_touchdowns,
        targets,
        touches,
        return_touchdowns,
        two_points_made,
        fumbles,
        CAST(NULL AS INTEGER) AS field_goals_made,
        CAST(NULL AS INTEGER) AS extra_points_made
    FROM nfl_player_weeks_lines
    WHERE
        coalesce(
            passing_yards, passing_touchdowns, interceptions_thrown, rushing_yards, rushing_touchdowns, carries,
            receptions, receiving_yards, receiving_touchdowns, targets, touches, return_touchdowns, two_points_made,
            fumbles
        ) IS NOT NULL
    UNION ALL BY NAME
    SELECT
        span,
        profile_id,
        player_name,
        position,
        team_abbr,
        opponent,
        CASE
            WHEN
                coalesce(
                    field_goals_made_0_19, field_goals_made_20_29, field_goals_made_30_39, field_goals_made_40_49,
                    field_goals_made_50
                ) IS NOT NULL
                THEN
                    coalesce(field_goals_made_0_19, 0) + coalesce(field_goals_made_20_29, 0)
                    + coalesce(field_goals_made_30_39, 0) + coalesce(field_goals_made_40_49, 0)
                    + coalesce(field_goals_made_50, 0)
        END AS field_goals_made,
        extra_points_made
    FROM nfl_player_weeks_kickers
    WHERE coalesce(
        field_goals_made_0_19, field_goals_made_20_29, field_goals_made_30_39, field_goals_made_40_49,
        field_goals_made_50, extra_points_made
    ) IS NOT NULL
)

SELECT
    left(l.span, 4) AS season,
    TRY_CAST(nullif(regexp_extract(l.span, '-w(\d+)', 1), '') AS INTEGER) AS week,
    l.profile_id,
    i.player_id,
    l.player_name,
    l.position,
    t.team_id,
    l.opponent,
    l.* EXCLUDE (span, profile_id, player_name, position, team_abbr, opponent)
FROM lines AS l
LEFT JOIN nfl_profile_ids AS i ON i.profile_id = TRY_CAST(l.profile_id AS INTEGER)
LEFT JOIN nfl_spellings AS t ON t.spelling = l.team_abbr
