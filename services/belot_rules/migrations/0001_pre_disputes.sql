-- Verdicts on reported moves, readable for ever: everything is text that people and any later release can read, and the
-- ruleset is there in full. Rows are only inserted. Ids compare byte by byte.
CREATE TABLE disputes (
    dispute_id text COLLATE "C" PRIMARY KEY,
    -- Who reported it under which request, and SHA-256 of what the request said.
    player_id text COLLATE "C" NOT NULL,
    request_id text COLLATE "C" NOT NULL,
    fingerprint bytea NOT NULL CHECK (length(fingerprint) = 32),
    -- SHA-256 of ruleset_json, 64 lower-case hex digits, and that canonical JSON.
    ruleset_hash text COLLATE "C" NOT NULL CHECK (ruleset_hash ~ '^[0-9a-f]{64}$'),
    ruleset_json text NOT NULL,
    -- The report: trump "D", cards "KH 7D" in order of play, the hand before the move, the card, what became of it.
    trump text NOT NULL,
    played text NOT NULL,
    hand text NOT NULL,
    move text NOT NULL,
    treatment text NOT NULL CHECK (treatment IN ('allowed', 'blocked')),
    expected text NOT NULL,
    comment text NOT NULL,
    -- The verdict: whether the card is legal, the clause that forbids it ('' for none), every legal card, and the other
    -- rulesets of that day that would have allowed it, by blanks.
    legal boolean NOT NULL,
    clause text NOT NULL,
    legal_cards text NOT NULL,
    allowed_by text NOT NULL,
    ruled_ms bigint NOT NULL
);
CREATE INDEX disputes_ruleset ON disputes (ruleset_hash);
