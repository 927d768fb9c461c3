-- What the dealer must not lose: who sits in a match, its secret (sealed), its seeds while they are gathered, and the
-- transcript. Everything else about a match follows from its transcript.

-- Beacon chains that matches were bound to. A match keeps its chain when the configuration moves on to another.
CREATE TABLE chains (
    chain_hash bytea PRIMARY KEY CHECK (length(chain_hash) = 32),
    beacon_id text NOT NULL,
    public_key bytea NOT NULL,
    period_seconds integer NOT NULL CHECK (period_seconds > 0),
    genesis_time bigint NOT NULL,
    group_hash bytea NOT NULL,
    scheme text NOT NULL
);

-- Public halves of every key that has signed; rows are never deleted, so that old transcripts stay checkable.
CREATE TABLE signing_keys (
    key_id text PRIMARY KEY,
    public_key bytea NOT NULL CHECK (length(public_key) = 32),
    first_used_at timestamptz NOT NULL DEFAULT now()
);

-- `version` is the number of events in the transcript. Every step raises it under a guard, which is what decides races.
CREATE TABLE matches (
    match_id text PRIMARY KEY,
    version integer NOT NULL CHECK (version >= 1),
    chain_hash bytea NOT NULL REFERENCES chains,
    -- The server seed under AES-GCM: nonce (12), ciphertext (32), tag (16).
    sealed_seed bytea NOT NULL CHECK (length(sealed_seed) = 60),
    seal_key_id text NOT NULL,
    -- By seat, NULL until sent. In the row itself, so that a seed and the closing of seeds meet on one row lock.
    seeds bytea[] NOT NULL,
    seed_times_ms bigint[] NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);

-- Canonical octets, hash-chained and signed. Only inserted, never changed.
CREATE TABLE transcript_events (
    match_id text NOT NULL REFERENCES matches,
    sequence integer NOT NULL CHECK (sequence >= 0),
    octets bytea NOT NULL,
    signature bytea NOT NULL CHECK (length(signature) = 64),
    key_id text NOT NULL REFERENCES signing_keys,
    at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (match_id, sequence)
);

-- Rounds whose signature was verified here. The highest one bounds from below what a match may choose.
CREATE TABLE beacons (
    chain_hash bytea NOT NULL REFERENCES chains,
    round bigint NOT NULL CHECK (round >= 1),
    signature bytea NOT NULL CHECK (length(signature) = 48),
    verified_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (chain_hash, round)
);
