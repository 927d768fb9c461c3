-- The results of matches as they came in, each once, for good. Times are unix milliseconds by this database's clock. Ids
-- compare byte by byte.
CREATE TABLE inbox (
    match_id text COLLATE "C" PRIMARY KEY,
    -- An encoded belot.table.v1.MatchFinished, fields of later releases included.
    payload bytea NOT NULL,
    -- SHA-256 of what makes it this result and no other.
    fingerprint bytea NOT NULL CHECK (length(fingerprint) = 32),
    -- The pool its ratings belong to.
    ruleset text COLLATE "C" NOT NULL,
    seats smallint NOT NULL CHECK (seats BETWEEN 2 AND 4),
    pack smallint NOT NULL CHECK (pack IN (24, 32)),
    -- Whether it counts for ratings at all.
    rated boolean NOT NULL,
    received_ms bigint NOT NULL,
    -- Its number in the order in which its pool counts results; NULL until that pool's one writer has given it one.
    place bigint
);

-- Pages, latest first.
CREATE INDEX inbox_received ON inbox (received_ms DESC, match_id DESC);
-- What a pool has yet to count.
CREATE INDEX inbox_uncounted ON inbox (ruleset, seats, pack, received_ms, match_id) WHERE rated AND place IS NULL;
