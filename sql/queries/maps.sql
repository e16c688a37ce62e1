-- Places and map data of imported regions. Each read returns rows of current
-- regions only. Bits 28 to 51 of the id of a place are the id of its region.

-- name: add-region
INSERT INTO maps_region (name, format, state, south, west, north, east, place_count, tile_count, file_size, checksum,
       attribution_label, attribution_url, attribution_required, data_at, created_at, has_token, marks_moved_to)
VALUES (:name, :format, 'staged', 0, 0, 0, 0, 0, 0, :size, :checksum, '', '', 0, NULL, :now, 1, 0)
RETURNING id;

-- name: staged-name
-- Returns the name of the latest staged region. Others are the remains of killed imports.
-- scan: there are few regions
SELECT name FROM maps_region WHERE state = 'staged' ORDER BY id DESC LIMIT 1;

-- name: add-places
INSERT INTO maps_place (id, region_id, provider, provider_id, name, kind, category, latitude, longitude, importance,
       house_number, street, postcode, city, country, names, tags, cell, counted)
SELECT value ->> 0, :region, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7, value ->> 8,
       value ->> 9, value ->> 10, value ->> 11, value ->> 12, value ->> 13, value -> 14, value -> 15, value ->> 16, value ->> 5 <> ''
  FROM json_each(:places);

-- name: add-positions
INSERT INTO maps_place_position (id, south, north, west, east)
SELECT value ->> 0, value ->> 1, value ->> 1, value ->> 2, value ->> 2 FROM json_each(:positions);

-- name: add-texts
INSERT INTO maps_place_text (rowid, name, other_names, address, tag)
SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM json_each(:texts);

-- name: add-trigrams
INSERT INTO maps_place_trigram (rowid, name)
SELECT value ->> 0, value ->> 1 FROM json_each(:trigrams);

-- name: counted-elsewhere
-- Returns the ids of the places in the list of which another current region counts a copy. The
-- region with the name is ignored: the import replaces it.
SELECT i.value ->> 0
  FROM json_each(:places) AS i
 WHERE EXISTS (SELECT 1 FROM maps_place AS p
                 JOIN maps_region AS r ON r.id = p.region_id AND r.state = 'current' AND r.name <> :name
                WHERE p.provider = i.value ->> 1 AND p.provider_id = i.value ->> 2 AND p.counted);

-- name: set-counted
UPDATE maps_place SET counted = :counted WHERE id IN (SELECT value FROM json_each(:ids));

-- name: add-clusters
INSERT INTO maps_cluster (level, cell, category, region_id, place_count, latitude_sum, longitude_sum)
SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6 FROM json_each(:clusters) WHERE true
    ON CONFLICT (level, cell, category, region_id) DO UPDATE SET place_count = place_count + excluded.place_count,
       latitude_sum = latitude_sum + excluded.latitude_sum, longitude_sum = longitude_sum + excluded.longitude_sum;

-- name: add-tiles
-- Each tile is an array of z, x, y and the hexadecimal data.
INSERT INTO maps_tile (z, x, y, region_id, data)
SELECT value ->> 0, value ->> 1, value ->> 2, :region, unhex(value ->> 3) FROM json_each(:tiles);

-- name: configure-texts
-- Leaves the merges of segments to the program: those that SQLite does by itself are
-- long transactions. Two segments of about the same size are merged, since a search
-- looks up each of its words in each segment. A segment is also merged when a quarter of
-- it is deleted.
INSERT INTO maps_place_text (maps_place_text, rank) VALUES ('automerge', 0), ('usermerge', 2), ('deletemerge', 25);

-- name: configure-trigrams
INSERT INTO maps_place_trigram (maps_place_trigram, rank) VALUES ('automerge', 0), ('usermerge', 2), ('deletemerge', 25);

-- name: merge-texts
-- Merges segments of the index of words, up to a number of pages. A negative number
-- first makes all segments part of one merge.
INSERT INTO maps_place_text (maps_place_text, rank) VALUES ('merge', :pages);

-- name: merge-trigrams
INSERT INTO maps_place_trigram (maps_place_trigram, rank) VALUES ('merge', :pages);

-- name: total-changes
SELECT total_changes();

-- name: describe-region
UPDATE maps_region SET south = :south, west = :west, north = :north, east = :east, place_count = :places, tile_count = :tiles,
       attribution_label = :label, attribution_url = :url, attribution_required = :required, data_at = :data_at
 WHERE id = :id AND state = 'staged';

-- name: retire-name
UPDATE maps_region SET state = 'retired' WHERE name = :name AND state = 'current';

-- name: publish-region
UPDATE maps_region SET state = 'current' WHERE id = :id AND state = 'staged';

-- name: retire-region
UPDATE maps_region SET state = 'retired' WHERE id = :id AND state = 'staged';

-- name: other-states
-- scan: there are few regions
SELECT DISTINCT state FROM maps_region WHERE state <> 'current';

-- name: retire-staged
-- Retires the remains of killed imports.
-- scan: there are few regions
UPDATE maps_region SET state = 'retired' WHERE state = 'staged';

-- name: retired-region
-- scan: there are few regions
SELECT id, marks_moved_to FROM maps_region WHERE state = 'retired' ORDER BY id LIMIT 1;

-- name: places-to-unmark
-- Returns the last id of the places of a region in a batch after an id, or 0 if there are none,
-- and whether there are more places.
SELECT coalesce(max(id), 0) AS last,
       EXISTS (SELECT 1 FROM maps_place WHERE region_id = :region AND id > :after ORDER BY id LIMIT 1 OFFSET :limit) AS more
  FROM (SELECT id FROM maps_place WHERE region_id = :region AND id > :after ORDER BY id LIMIT :limit);

-- name: copies-to-count
-- Returns a copy of each place in a batch that the region counts and no remaining region
-- counts. A current region takes precedence over a staged one.
SELECT DISTINCT c.id, c.category, c.latitude, c.longitude
  FROM maps_place AS b
       CROSS JOIN maps_place AS c ON c.id = (
         SELECT p.id FROM maps_place AS p JOIN maps_region AS r ON r.id = p.region_id AND r.state <> 'retired'
          WHERE p.provider = b.provider AND p.provider_id = b.provider_id AND p.category <> ''
          ORDER BY p.counted DESC, r.state, p.id LIMIT 1)
 WHERE b.region_id = :region AND b.id > :after AND b.id <= :last AND b.counted AND NOT c.counted;

-- name: set-marks-moved
UPDATE maps_region SET marks_moved_to = :last WHERE id = :region;

-- name: places-of-region
SELECT id FROM maps_place WHERE region_id = :region LIMIT :limit;

-- name: delete-places
DELETE FROM maps_place WHERE id IN (SELECT value FROM json_each(:ids));

-- name: delete-positions
-- scan: SQLite finds each id in the virtual table
DELETE FROM maps_place_position WHERE id IN (SELECT value FROM json_each(:ids));

-- name: delete-texts
-- scan: SQLite finds each id in the virtual table
DELETE FROM maps_place_text WHERE rowid IN (SELECT value FROM json_each(:ids));

-- name: delete-trigrams
-- scan: SQLite finds each id in the virtual table
DELETE FROM maps_place_trigram WHERE rowid IN (SELECT value FROM json_each(:ids));

-- name: delete-clusters
DELETE FROM maps_cluster
 WHERE (level, cell, category, region_id) IN (SELECT level, cell, category, region_id FROM maps_cluster WHERE region_id = :region LIMIT :limit);

-- name: delete-tiles
DELETE FROM maps_tile
 WHERE (z, x, y, region_id) IN (SELECT z, x, y, region_id FROM maps_tile WHERE region_id = :region LIMIT :limit);

-- name: delete-region
DELETE FROM maps_region WHERE id = :region AND state = 'retired';

-- name: regions
-- scan: there are few regions
SELECT id, name, format, south, west, north, east, place_count, tile_count, file_size, checksum, attribution_label, attribution_url,
       attribution_required, data_at, created_at
  FROM maps_region WHERE state = 'current' ORDER BY name;

-- name: place
SELECT p.id, p.region_id, p.provider, p.provider_id, p.name, p.kind, p.category, p.latitude, p.longitude, p.importance, p.house_number, p.street,
       p.postcode, p.city, p.country, p.names, p.tags
  FROM maps_place AS p
  JOIN maps_region AS r ON r.id = p.region_id AND r.state = 'current'
 WHERE p.provider = :provider AND p.provider_id = :provider_id ORDER BY p.id LIMIT 1;

-- name: places
SELECT p.id, p.region_id, p.provider, p.provider_id, p.name, p.kind, p.category, p.latitude, p.longitude, p.importance, p.house_number, p.street,
       p.postcode, p.city, p.country, p.names, p.tags
  FROM json_each(:ids) AS i CROSS JOIN maps_place AS p ON p.id = i.value;

-- name: candidates
-- Returns the fields of places by which a search ranks them.
SELECT p.id, p.provider, p.name, p.names, p.kind, p.house_number, p.street, p.city, p.country, p.latitude, p.longitude, p.importance
  FROM json_each(:ids) AS i CROSS JOIN maps_place AS p ON p.id = i.value;

-- name: positions-in-cells
-- Returns the positions of places of the field in ranges of areas. The ranges must
-- be narrow: their number and the number of places in them bound the work.
SELECT p.id, p.latitude, p.longitude
  FROM json_each(:ranges) AS c CROSS JOIN maps_place AS p ON p.cell BETWEEN c.value ->> 0 AND c.value ->> 1
       CROSS JOIN maps_region AS r ON r.id = p.region_id AND r.state = 'current'
 WHERE p.category <> '' AND p.category IN (SELECT value FROM json_each(:categories))
   AND p.latitude BETWEEN :south AND :north AND p.longitude BETWEEN :west AND :east;

-- name: without-copies
-- Returns the lowest id of each place among those with the ids.
SELECT min(p.id) AS id
  FROM json_each(:ids) AS i CROSS JOIN maps_place AS p ON p.id = i.value
 GROUP BY p.provider, p.provider_id;

-- name: settlements-in-cells
SELECT p.id, p.latitude, p.longitude
  FROM json_each(:ranges) AS c CROSS JOIN maps_place AS p ON p.cell BETWEEN c.value ->> 0 AND c.value ->> 1
       CROSS JOIN maps_region AS r ON r.id = p.region_id AND r.state = 'current'
 WHERE p.kind GLOB 'place=*';

-- name: positions-in-box
-- scan: the index of positions is a virtual table
SELECT id, south AS latitude, west AS longitude FROM maps_place_position
 WHERE south >= :south AND north <= :north AND west >= :west AND east <= :east
   AND (id >> 28) & 16777215 IN (SELECT id FROM maps_region WHERE state = 'current')
 LIMIT :limit;

-- name: clusters
-- Returns the numbers of places of categories in ranges of areas.
SELECT c.cell, sum(c.place_count) AS place_count, sum(c.latitude_sum) AS latitude_sum, sum(c.longitude_sum) AS longitude_sum
  FROM json_each(:ranges) AS r CROSS JOIN maps_cluster AS c ON c.level = :level AND c.cell BETWEEN r.value ->> 0 AND r.value ->> 1
       CROSS JOIN maps_region AS g ON g.id = c.region_id AND g.state = 'current'
 WHERE c.category IN (SELECT value FROM json_each(:categories))
 GROUP BY c.cell ORDER BY c.cell;

-- name: match
-- Returns the most important places that match a query of the words. With a plain
-- parameter as the limit, SQLite would prepare the query again for each new limit.
-- scan: the index of words is a virtual table
SELECT rowid FROM maps_place_text
 WHERE maps_place_text MATCH '(' || :match || ')' || (SELECT restriction FROM maps_visible)
   AND (rowid >> 28) & 16777215 IN (SELECT id FROM maps_region WHERE state = 'current')
 ORDER BY rowid LIMIT +:limit;

-- name: match-trigrams
-- scan: the index of groups of characters is a virtual table
SELECT rowid FROM maps_place_trigram
 WHERE maps_place_trigram MATCH :match
   AND (rowid >> 28) & 16777215 IN (SELECT id FROM maps_region WHERE state = 'current')
 ORDER BY rowid LIMIT :limit;

-- name: count-matches
-- Returns the number of places that match a query of the words, up to a limit.
-- scan: the index of words is a virtual table
SELECT count(*)
  FROM (SELECT 1 FROM maps_place_text
         WHERE maps_place_text MATCH '(' || :match || ')' || (SELECT restriction FROM maps_visible) LIMIT :limit);

-- Tiles

-- name: tile-regions
-- Returns the regions with data in any of the tiles.
SELECT DISTINCT r.id, r.checksum, r.created_at
  FROM json_each(:tiles) AS i
       CROSS JOIN maps_tile AS t ON t.z = i.value ->> 0 AND t.x = i.value ->> 1 AND t.y = i.value ->> 2
       CROSS JOIN maps_region AS r ON r.id = t.region_id AND r.state = 'current'
 ORDER BY r.id;

-- name: tiles-with-data
-- Returns the indexes of the tiles in the list for which a region has data.
SELECT i.key
  FROM json_each(:tiles) AS i
 WHERE EXISTS (SELECT 1 FROM maps_tile AS t JOIN maps_region AS r ON r.id = t.region_id AND r.state = 'current'
                WHERE t.z = i.value ->> 0 AND t.x = i.value ->> 1 AND t.y = i.value ->> 2)
 ORDER BY i.key;

-- name: tile-data
SELECT t.data
  FROM json_each(:tiles) AS i
       CROSS JOIN maps_tile AS t ON t.z = i.value ->> 0 AND t.x = i.value ->> 1 AND t.y = i.value ->> 2
       CROSS JOIN maps_region AS r ON r.id = t.region_id AND r.state = 'current'
 ORDER BY t.z, t.x, t.y, r.name;
