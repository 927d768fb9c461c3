-- Who is connected at which table, as gateways say every few seconds; and the codes of private tables.

-- Rewritten every few seconds a player: heap-only, so no index but the key.
CREATE TABLE table_presence (
    table_id text COLLATE "C" NOT NULL,
    player_id text COLLATE "C" NOT NULL,
    seen_ms bigint NOT NULL,
    away boolean NOT NULL DEFAULT false,
    claimed_until_ms bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (table_id, player_id)
) WITH (fillfactor = 50);

ALTER TABLE tables ADD COLUMN invitation text COLLATE "C";
CREATE UNIQUE INDEX tables_invitation ON tables (invitation) WHERE invitation IS NOT NULL;
