"""The database's clock: how far an answer tells it, and what happens between answers."""

import pytest

from belot_kit.database_clock import DatabaseClock

DATABASE_MS = 1_700_000_000_000


class Moment:
    """A machine's clock that the test moves; its time of day is wrong."""

    def __init__(self) -> None:
        self.seconds = 5.0

    def now_ms(self) -> int:
        """Nobody should ask."""
        return 0

    def monotonic(self) -> float:
        """As far as the test has moved it."""
        return self.seconds


class Database:
    """Answers after a while with the time it had half way; slow answers are two seconds old."""

    def __init__(self, own: Moment) -> None:
        self.own = own
        self.takes_s = 0.0
        self.slow_answers = 0
        self.ahead_ms = DATABASE_MS - 5_000

    async def ask_ms(self) -> int:
        """The database's time."""
        if self.slow_answers:
            self.slow_answers -= 1
            told = self.own.seconds * 1000 + self.ahead_ms
            self.own.seconds += 2.0
            return int(told)
        self.own.seconds += self.takes_s / 2
        now = self.own.seconds * 1000 + self.ahead_ms
        self.own.seconds += self.takes_s / 2
        return int(now)


@pytest.fixture
def own() -> Moment:
    return Moment()


@pytest.fixture
def database(own: Moment) -> Database:
    return Database(own)


@pytest.fixture
def clock(own: Moment, database: Database) -> DatabaseClock:
    return DatabaseClock(database.ask_ms, own)


async def test_it_tells_the_databases_time_whatever_the_machine_says(clock: DatabaseClock, own: Moment) -> None:
    await clock.measure()
    assert clock.now_ms() == DATABASE_MS
    own.seconds += 2.5
    assert clock.now_ms() == DATABASE_MS + 2_500


async def test_slow_answers_do_not_spoil_what_a_quick_one_has_told(
    clock: DatabaseClock, own: Moment, database: Database
) -> None:
    await clock.measure()
    database.takes_s = 3.0
    await clock.measure()
    assert clock.now_ms() == own.seconds * 1000 + database.ahead_ms


async def test_it_asks_again_when_the_first_answer_took_long(
    clock: DatabaseClock, own: Moment, database: Database
) -> None:
    database.slow_answers = 2
    await clock.measure()
    assert abs(clock.now_ms() - (own.seconds * 1000 + database.ahead_ms)) <= 1


async def test_it_follows_a_database_whose_clock_was_set(clock: DatabaseClock, database: Database) -> None:
    await clock.measure()
    database.ahead_ms += 60_000
    await clock.measure()
    assert abs(clock.now_ms() - DATABASE_MS - 60_000) <= 1


async def test_it_is_not_guessed_before_the_first_answer(clock: DatabaseClock) -> None:
    with pytest.raises(RuntimeError):
        clock.now_ms()
