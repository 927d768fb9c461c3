-- Tables and their matches. Every key begins with table_id, so that the schema can be sharded by it.
-- Times are unix milliseconds. Ids compare byte by byte.

-- The current state. A commit rewrites the row: the free half of each page keeps that a heap-only update, so no index
-- here may hold anything that changes with every commit (version and sequence above all).
CREATE TABLE tables (
    table_id text COLLATE "C" PRIMARY KEY,
    version bigint NOT NULL,
    sequence bigint NOT NULL,
    status smallint NOT NULL,
    private boolean NOT NULL,
    created_ms bigint NOT NULL,
    updated_ms bigint NOT NULL,
    match_id text COLLATE "C",
    players text[] NOT NULL,
    ruleset_json text NOT NULL,
    state bytea NOT NULL
) WITH (fillfactor = 50);

-- States are read whole and written whole: not worth compressing, and kept in the row as long as it fits.
ALTER TABLE tables ALTER COLUMN state SET STORAGE EXTERNAL;
ALTER TABLE tables ALTER COLUMN ruleset_json SET STORAGE EXTERNAL;

-- The lobby: public tables that wait or play, newest first.
CREATE INDEX tables_lobby ON tables (created_ms DESC, table_id DESC) WHERE NOT private AND status < 6;
CREATE INDEX tables_public ON tables (created_ms DESC, table_id DESC) WHERE NOT private;
CREATE INDEX tables_players ON tables USING gin (players);
CREATE INDEX tables_match ON tables (match_id) WHERE match_id IS NOT NULL;

-- How far a table's events are published. Apart from tables, because another transaction writes it. Settled: the table
-- has come to rest and all of it is published.
CREATE TABLE table_published (
    table_id text COLLATE "C" PRIMARY KEY,
    sequence bigint NOT NULL,
    settled boolean NOT NULL,
    claimed_until_ms bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
CREATE INDEX table_published_open ON table_published (table_id) WHERE NOT settled;

-- The log, append-only.
CREATE TABLE table_events (
    table_id text COLLATE "C" NOT NULL,
    sequence bigint NOT NULL,
    kind text COLLATE "C" NOT NULL,
    at_ms bigint NOT NULL,
    payload bytea NOT NULL,
    only_seat smallint,
    seat_payload bytea NOT NULL,
    PRIMARY KEY (table_id, sequence)
);
-- What snapshots need of the log.
CREATE INDEX table_events_facts ON table_events (table_id, sequence)
    WHERE kind IN ('match_opened', 'round_chosen', 'beacon_fixed', 'cards_released', 'deal_scored', 'seed_revealed');

-- What was answered to whom.
CREATE TABLE table_requests (
    table_id text COLLATE "C" NOT NULL,
    player_id text COLLATE "C" NOT NULL,
    request_id text COLLATE "C" NOT NULL,
    fingerprint bytea NOT NULL,
    response bytea NOT NULL,
    at_ms bigint NOT NULL,
    PRIMARY KEY (table_id, player_id, request_id)
);

-- The one thing a table does by itself next; version is the guard.
CREATE TABLE table_timers (
    table_id text COLLATE "C" PRIMARY KEY,
    kind text COLLATE "C" NOT NULL,
    seat smallint,
    due_ms bigint NOT NULL,
    version bigint NOT NULL,
    claimed_until_ms bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
CREATE INDEX table_timers_due ON table_timers (due_ms);

-- For other services, until they acknowledge it.
CREATE TABLE outbox (
    table_id text COLLATE "C" NOT NULL,
    outbox_id text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    payload bytea NOT NULL,
    at_ms bigint NOT NULL,
    acknowledged_ms bigint,
    PRIMARY KEY (table_id, outbox_id)
);
CREATE INDEX outbox_open ON outbox (at_ms) WHERE acknowledged_ms IS NULL;
