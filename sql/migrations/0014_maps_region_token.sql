-- The index of words has a token of the region for each place, so that a search during
-- an import need not read the staged places.

-- Whether it has these tokens: 0 for a region that an earlier version imported.
ALTER TABLE maps_region ADD COLUMN has_token INTEGER NOT NULL DEFAULT 0;

-- The end of a query of maps_place_text that restricts it to current regions. It is
-- empty if there are no others, as usual, and if a current region has no tokens.
CREATE VIEW maps_visible (restriction) AS
SELECT CASE
       WHEN NOT EXISTS (SELECT 1 FROM maps_region WHERE state <> 'current')
         OR EXISTS (SELECT 1 FROM maps_region WHERE state = 'current' AND NOT has_token) THEN ''
       ELSE ' AND (' || coalesce((SELECT group_concat('":region' || id || '"', ' OR ') FROM maps_region WHERE state = 'current'), '":region0"') || ')'
       END;
