-- Places and drawings of the map.

-- Imported regions. Each import of a region is a new row; the one that is shown
-- has the state 'current'.
CREATE TABLE maps_region (
  id                   INTEGER PRIMARY KEY,
  name                 TEXT NOT NULL,    -- such as 'malta'; 'towns' for the embedded gazetteer
  format               TEXT NOT NULL,    -- 'gazetteer', 'osm', 'geojson' or 'csv'
  state                TEXT NOT NULL CHECK (state IN ('staged', 'current', 'retired')),
  south                REAL NOT NULL,    -- bounds in degrees; west > east over the antimeridian
  west                 REAL NOT NULL,
  north                REAL NOT NULL,
  east                 REAL NOT NULL,
  place_count          INTEGER NOT NULL,
  tile_count           INTEGER NOT NULL,
  file_size            INTEGER NOT NULL, -- bytes
  checksum             TEXT NOT NULL,    -- SHA-256 of the file or of the embedded data, in hex
  attribution_label    TEXT NOT NULL,
  attribution_url      TEXT NOT NULL,
  attribution_required INTEGER NOT NULL,
  data_at              INTEGER,          -- time of the data as the file states it
  created_at           INTEGER NOT NULL,
  marks_moved_to       INTEGER NOT NULL  -- while the region is deleted: the copies of its places up to this id are counted
) STRICT;

CREATE UNIQUE INDEX maps_region_current ON maps_region (name) WHERE state = 'current';

CREATE TABLE maps_place (
  id           INTEGER PRIMARY KEY, -- by decreasing importance; bits 28 to 51 are the region
  region_id    INTEGER NOT NULL REFERENCES maps_region (id),
  provider     TEXT NOT NULL,    -- such as 'osm'
  provider_id  TEXT NOT NULL,    -- such as 'node/1'
  name         TEXT NOT NULL,    -- in the local language, '' if it has none
  kind         TEXT NOT NULL,    -- such as 'amenity=cafe'
  category     TEXT NOT NULL,    -- category of the field, '' for none
  latitude     REAL NOT NULL,    -- degrees
  longitude    REAL NOT NULL,
  importance   REAL NOT NULL,    -- 0 to 1
  house_number TEXT NOT NULL,
  street       TEXT NOT NULL,
  postcode     TEXT NOT NULL,
  city         TEXT NOT NULL,
  country      TEXT NOT NULL,    -- ISO 3166-1 alpha-2
  names        TEXT NOT NULL,    -- JSON object: other names by language, such as 'de'
  tags         TEXT NOT NULL,    -- JSON object: website, phone, opening_hours …
  cell         INTEGER NOT NULL, -- the area of 0.01 degrees that contains the place
  counted      INTEGER NOT NULL  -- 1 in one of the regions that contain the place: maps_cluster of that region counts it
) STRICT;

CREATE INDEX maps_place_source ON maps_place (provider, provider_id);
CREATE INDEX maps_place_region ON maps_place (region_id);
CREATE INDEX maps_place_field ON maps_place (cell, category, latitude, longitude, region_id) WHERE category <> '';
CREATE INDEX maps_place_settlement ON maps_place (cell, latitude, longitude, region_id) WHERE kind GLOB 'place=*';

-- Positions of places with a name or an address, with the id of maps_place.
CREATE VIRTUAL TABLE maps_place_position USING rtree (id, south, north, west, east);

-- Words of places, with the id of maps_place as rowid. The program folds the words
-- of names and addresses to lower-case letters without diacritics. tag has further
-- tokens: each name as a single token, the kind, and the areas that contain the
-- place.
CREATE VIRTUAL TABLE maps_place_text USING fts5 (
  name, other_names, address, tag,
  content = '', contentless_delete = 1, detail = column, tokenize = 'ascii tokenchars ''=@/_:'''
);

-- Names of places in groups of three characters, for queries with typing errors.
CREATE VIRTUAL TABLE maps_place_trigram USING fts5 (
  name, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram'
);

-- Numbers of the counted places of a category in an area, for maps that show too many
-- to list. The areas of level 0 have 0.01 degrees, those of each further level four
-- times as many.
CREATE TABLE maps_cluster (
  level         INTEGER NOT NULL,
  cell          INTEGER NOT NULL,
  category      TEXT NOT NULL,
  region_id     INTEGER NOT NULL REFERENCES maps_region (id),
  place_count   INTEGER NOT NULL,
  latitude_sum  REAL NOT NULL,
  longitude_sum REAL NOT NULL,
  PRIMARY KEY (level, cell, category, region_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX maps_cluster_region ON maps_cluster (region_id);

-- Features of a region as tiles are drawn from them.
CREATE TABLE maps_tile (
  z         INTEGER NOT NULL,
  x         INTEGER NOT NULL,
  y         INTEGER NOT NULL,
  region_id INTEGER NOT NULL REFERENCES maps_region (id),
  data      BLOB NOT NULL,
  PRIMARY KEY (z, x, y, region_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX maps_tile_region ON maps_tile (region_id);
