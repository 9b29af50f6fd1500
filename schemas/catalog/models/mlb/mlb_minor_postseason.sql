-- Post-season games of the minor leagues.
SELECT * EXCLUDE (phase, has_appearances, has_results) FROM mlb_minor_games WHERE phase = 'postseason'
