-- The player of the free sample: the one with the greatest index of the newest season with 200 minutes, so
-- that nobody chose her.
SELECT * FROM wnba_winba WHERE minutes >= 200 AND index IS NOT NULL AND season = (SELECT max(season) FROM wnba_winba)
QUALIFY row_number() OVER (ORDER BY index DESC, player_id) = 1
