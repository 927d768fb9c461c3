"""PostgreSQL and Valkey started by ourselves, for a local fleet and for tests; production names its own addresses."""

from belot_kit.embedded.postgres import PostgresAddress, embedded_postgres
from belot_kit.embedded.valkey import ValkeyAddress, embedded_valkey

__all__ = ["PostgresAddress", "ValkeyAddress", "embedded_postgres", "embedded_valkey"]
