-- What every engine of `Benchmarks/sealed` is asked to do. A section is a line "--- NAME"; the drivers run the statements
-- of one section and take the time of those after the line "--- timed" within it. Each statement ends with a semicolon at
-- the end of a line. The last statement gives one number, which must be the same for all engines.

--- settings
PRAGMA temp_store = MEMORY;
PRAGMA cache_size = -65536;
PRAGMA foreign_keys = ON;
PRAGMA trusted_schema = OFF;
PRAGMA cell_size_check = ON;
PRAGMA secure_delete = ON;
PRAGMA mmap_size = 0;
PRAGMA synchronous = EXTRA;
PRAGMA journal_mode = DELETE;

--- rows
-- 300,000 texts of 150 bytes in memory: two of 8,192 half sentences each, of 20,000 made-up words, few of them frequent.
CREATE TEMP TABLE syllable(id INTEGER PRIMARY KEY, text TEXT);
INSERT INTO syllable SELECT key, value FROM json_each('["ba","ke","li","mo","nu","pa","re","si","to","vu","da","fe",
"gi","ho","ju","ka","le","mi","no","ru","sa","te","vi","wo","zu","bra","cle","dri","flo","gru","pla","pre","stri","tro",
"chu","na","me","si","lo","tu","an","en","in","on","un","ar","er","ir","or","ur"]');
CREATE TEMP TABLE word(id INTEGER PRIMARY KEY, text TEXT);
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 19999)
INSERT INTO word SELECT i, a.text || b.text || iif(i < 2500, '', c.text) FROM n
    JOIN syllable a ON a.id = i % 50 JOIN syllable b ON b.id = i / 50 % 50 JOIN syllable c ON c.id = i / 2500 * 6 % 50;
CREATE TEMP TABLE piece(id INTEGER PRIMARY KEY, text TEXT);
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 8191)
INSERT INTO piece SELECT i, (
    WITH RECURSIVE k(j) AS (SELECT 0 UNION ALL SELECT j + 1 FROM k WHERE j < 24),
    h(r) AS (SELECT ((i * 25 + j) * 7368787 % 1000003) / 1000003.0 FROM k)
    SELECT substr(group_concat(word.text, ' '), 1, 75) FROM h JOIN word ON word.id = CAST(19999 * r * r * r AS INTEGER)
) FROM n;
CREATE TEMP TABLE source(id INTEGER PRIMARY KEY, body TEXT);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000)
INSERT INTO source SELECT i, a.text || b.text FROM n
    JOIN piece a ON a.id = i * 40503 % 8191 JOIN piece b ON b.id = i * 65599 / 7 % 8191;
CREATE TEMP TABLE part(id INTEGER PRIMARY KEY, first INTEGER, last INTEGER);
SELECT sum(length(body)) FROM source;

--- load
CREATE TABLE message(id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT;
--- timed
--- repeat 20
BEGIN IMMEDIATE;
INSERT INTO message SELECT id, body FROM source WHERE id BETWEEN 15000 * :part + 1 AND 15000 * (:part + 1);
COMMIT;
--- once
SELECT count(*) FROM message;

--- text
CREATE TABLE message(id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT;
CREATE VIRTUAL TABLE word_index USING fts5(body, content='', detail=full);
--- timed
--- repeat 20
BEGIN IMMEDIATE;
INSERT INTO message SELECT id, body FROM source WHERE id BETWEEN 15000 * :part + 1 AND 15000 * (:part + 1);
INSERT INTO word_index(rowid, body) SELECT id, body FROM source WHERE id BETWEEN 15000 * :part + 1 AND 15000 * (:part + 1);
COMMIT;
--- once
SELECT count(*) FROM word_index WHERE word_index MATCH 'bake';

--- warm
CREATE TEMP TABLE probe(place INTEGER PRIMARY KEY, id INTEGER);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000)
INSERT INTO probe SELECT i, i * 48271 % 299993 + 1 FROM n;
BEGIN;
SELECT sum(length(body)) FROM probe CROSS JOIN message USING (id);
--- timed
SELECT sum(length(body)) FROM probe CROSS JOIN message USING (id);

--- cold
CREATE TEMP TABLE probe(place INTEGER PRIMARY KEY, id INTEGER);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
INSERT INTO probe SELECT i, i * 48271 % 299993 + 1 FROM n;
--- timed
BEGIN;
SELECT sum(length(body)) FROM probe CROSS JOIN message USING (id);

--- scan
--- timed
SELECT sum(length(body)) FROM message;
