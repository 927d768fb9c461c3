-- What makes every commitment visible and countable: the list with its openings, a signed root for each day, receipts
-- for beacons that clients handed in, reports of clients, and counts over all packs.

-- Kind, time and ending stand in the octets themselves (libs/belot_fair/README.md); generated, so that the release
-- before this one fills them too. The match id is a short at offset 24, so the kind stands 65 octets after its length.
ALTER TABLE transcript_events
    ADD COLUMN kind smallint NOT NULL
        GENERATED ALWAYS AS (get_byte(octets, 65 + get_byte(octets, 24))::smallint) STORED,
    ADD COLUMN time_ms bigint NOT NULL
        GENERATED ALWAYS AS (('x' || encode(substring(octets FROM length(octets) - 7), 'hex'))::bit(64)::bigint) STORED,
    ADD COLUMN ending text
        GENERATED ALWAYS AS (
            CASE WHEN get_byte(octets, 65 + get_byte(octets, 24)) = 7 THEN
                encode(substring(octets FROM 136 + get_byte(octets, 24) FOR length(octets) - 143 - get_byte(octets, 24)), 'escape')
            END
        ) STORED;

CREATE INDEX transcript_events_issued ON transcript_events (time_ms, match_id) WHERE kind = 1;
CREATE UNIQUE INDEX transcript_events_revealed ON transcript_events (match_id) WHERE kind = 7;

-- A match of a public table is listed with table and participants. Packs are counted once they are revealed.
ALTER TABLE matches
    ADD COLUMN table_id text NOT NULL DEFAULT '',
    ADD COLUMN public_table boolean NOT NULL DEFAULT false,
    ADD COLUMN counted boolean NOT NULL DEFAULT false;

CREATE INDEX matches_of_tables ON matches (table_id) WHERE public_table;
CREATE INDEX matches_not_counted ON matches (created_at) WHERE NOT counted;

-- The tree over all commitments of a UTC day (counted from 1970-01-01). Once it is there no match of that day is opened.
CREATE TABLE daily_roots (
    day integer PRIMARY KEY,
    octets bytea NOT NULL,
    signature bytea NOT NULL CHECK (length(signature) = 64),
    key_id text NOT NULL REFERENCES signing_keys
);

-- One for each match: a round has one valid signature.
CREATE TABLE beacon_receipts (
    match_id text PRIMARY KEY REFERENCES matches,
    octets bytea NOT NULL,
    signature bytea NOT NULL CHECK (length(signature) = 64),
    key_id text NOT NULL REFERENCES signing_keys
);

-- What clients found wrong, one report for each seat.
CREATE TABLE fairness_reports (
    match_id text NOT NULL REFERENCES matches,
    seat smallint NOT NULL,
    request_id text NOT NULL,
    finding smallint NOT NULL,
    hand_number bigint,
    reported_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (match_id, seat)
);

-- Counts over all revealed packs of a size; `version` decides who of two replicas counts a match.
CREATE TABLE pack_counts (
    pack_size smallint PRIMARY KEY,
    version bigint NOT NULL DEFAULT 0,
    matches bigint NOT NULL DEFAULT 0,
    packs bigint NOT NULL DEFAULT 0,
    cells bigint[] NOT NULL,
    hand_sizes integer[] NOT NULL DEFAULT '{}',
    hands bigint[] NOT NULL DEFAULT '{}',
    voids bigint[] NOT NULL DEFAULT '{}'
);

-- Every match ever opened and what became of it; `answer` is 4 for a beacon, 5 for a fallback.
CREATE VIEW match_fates AS
SELECT
    m.match_id, m.table_id, m.public_table, o.key_id, o.time_ms AS opened_ms, o.octets AS opened,
    r.ending, r.time_ms AS revealed_ms, r.octets AS revealed, a.kind AS answer,
    (SELECT count(*) FROM fairness_reports f WHERE f.match_id = m.match_id) AS reports
FROM matches m
JOIN transcript_events o ON o.match_id = m.match_id AND o.kind = 1
LEFT JOIN transcript_events r ON r.match_id = m.match_id AND r.kind = 7
LEFT JOIN transcript_events a ON a.match_id = m.match_id AND a.sequence = 3 AND a.kind IN (4, 5);
