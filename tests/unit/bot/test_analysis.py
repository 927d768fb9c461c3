"""A match taken from its proof file and analysed."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from belot_bot.analysis import MatchAnalysis, SeatCost, costs_of
from belot_bot.record import MatchRecord, NotAnalysable, read_record
from belot_engine.analysis import analyse_deal
from belot_engine.cards import cards_of
from belot_fair.bodies import Revealed
from belot_fair.playlog import ActionKind, Entry
from belot_fair.proof import write_proof
from support.proofs import Match, Plan, played, proof_of, tampered, with_log

SHORT = Plan(ruleset="club", seats=4, pack=24, options=(("deals", "2"),), bots=(1, 3))


def record_of(match: Match, entries: Sequence[Entry] | None = None) -> MatchRecord:
    return read_record(write_proof(proof_of(match) if entries is None else with_log(match, entries)))


def test_a_record_has_every_card_with_its_number_and_who_played_it() -> None:
    match = played(SHORT)
    record = record_of(match)
    assert [hand.number for hand in record.hands] == [0, 1]
    assert [hand.dealer for hand in record.hands] == [0, 1]
    for hand in record.hands:
        entries = [match.entries[number - 1] for number in hand.numbers]
        assert tuple(entry.argument[0] for entry in entries) == hand.played.cards
        assert all(entry.hand == hand.number for entry in entries)
        assert hand.deciders == tuple("easy" if entry.seat in (1, 3) else "person" for entry in entries)
        assert sorted(hand.played.cards) == sorted(card for held in hand.played.hands for card in cards_of(held))
        assert hand.scores is not None
    assert match.state is not None
    totals = [sum(hand.scores[side] for hand in record.hands if hand.scores) for side in range(2)]
    assert tuple(totals) == match.state.standing.totals


def test_a_match_is_summed_over_its_deals_and_seats() -> None:
    record = record_of(played(SHORT))
    found = MatchAnalysis(record, tuple(analyse_deal(hand.played) for hand in record.hands))
    totals, costs = found.totals(), found.costs()
    assert totals.deals == 2
    assert sum(totals.taken) == sum(totals.par) == 324
    assert sum(totals.luck) == sum(totals.skill) == 0
    assert [(each.seat, each.decider, each.cards) for each in costs] == [
        (0, "person", 12),
        (1, "easy", 12),
        (2, "person", 12),
        (3, "easy", 12),
    ]
    own, others = costs[0].cost + costs[2].cost, costs[1].cost + costs[3].cost
    assert totals.taken[0] == totals.par[0] - own + others
    assert totals.skill == (others - own, own - others)
    assert totals.adjusted[0] == totals.taken[0] - totals.luck[0]


def test_a_seat_that_two_have_played_is_told_apart_by_who_decided() -> None:
    record = record_of(played(SHORT))
    hand = replace(record.hands[0], deciders=("automatic", *record.hands[0].deciders[1:]))
    deal = analyse_deal(hand.played)
    first = deal.cards[0].seat
    assert SeatCost(first, "automatic", 1, deal.cards[0].cost or 0) in costs_of([(hand, deal)])


def test_a_deal_not_solved_whole_is_in_no_total() -> None:
    record = record_of(played(SHORT))
    whole, part = analyse_deal(record.hands[0].played), analyse_deal(record.hands[1].played, 1)
    assert part.first_trick > 0
    assert MatchAnalysis(record, (whole, part)).totals().deals == 1
    nothing = MatchAnalysis(record, (part, part)).totals()
    assert (nothing.deals, nothing.taken, nothing.adjusted) == (0, (0, 0), (0, 0))


def test_a_claim_is_a_decision_of_its_own() -> None:
    match = played(replace(SHORT, options=(("deals", "1"),), bots=()))
    leads = [number for number, entry in enumerate(match.entries) if entry.action == ActionKind.PLAY_CARD][::4]
    third = leads[2]
    claim = replace(match.entries[third], action=ActionKind.CLAIM_AGREED, argument=b"")
    hand = record_of(match, [*match.entries[:third], claim]).hands[0]
    assert (hand.played.claimant, hand.played.agreed, len(hand.played.cards)) == (claim.seat, True, 8)
    assert hand.numbers[-1] == third + 1
    assert hand.scores is not None
    found = analyse_deal(hand.played)
    assert found.taken is not None
    assert found.par is not None
    own, others = (sum(each.cost or 0 for each in found.cards if each.seat % 2 == side) for side in range(2))
    given = found.conceded if claim.seat % 2 == 0 else -found.conceded
    assert found.taken[0] == found.par[0] - own + others + given


def test_hands_that_were_passed_out_are_left_away() -> None:
    record = record_of(played(Plan(options=(("deals", "1"),), passed_out=1)))
    assert [hand.number for hand in record.hands] == [1]


def test_a_match_that_broke_off_has_its_last_hand_unscored() -> None:
    record = record_of(played(replace(SHORT, most_decisions=9)))
    assert [hand.scores for hand in record.hands] == [None]
    assert analyse_deal(record.hands[0].played).taken is None


@pytest.mark.parametrize("form", [("club", 2, 24), ("club", 3, 24), ("bela", 4, 32), ("announces", 4, 32)])
def test_every_form_can_be_read(form: tuple[str, int, int]) -> None:
    name, seats, pack = form
    record = record_of(played(Plan(ruleset=name, seats=seats, pack=pack)))
    assert [len(hand.played.cards) for hand in record.hands] == [
        sum(map(int.bit_count, record.hands[0].played.hands))
    ] * 2


def test_what_was_never_revealed_or_breaks_the_rules_is_refused() -> None:
    match = played(SHORT)
    hidden = write_proof(tampered(match, lambda event: None if isinstance(event.body, Revealed) else event))
    with pytest.raises(NotAnalysable, match="not revealed"):
        read_record(hidden)
    with pytest.raises(NotAnalysable, match="cannot be played again"):
        record_of(match, [match.entries[0], match.entries[0]])
    with pytest.raises(NotAnalysable, match="another hand"):
        record_of(match, [replace(match.entries[0], hand=3)])
    with pytest.raises(NotAnalysable, match="not known here"):
        record_of(match, [replace(match.entries[0], action=99)])


@pytest.mark.parametrize("octets", [b"", b"{}", b"\xff" * 40, b"[" * 100_000])
def test_anything_else_is_refused(octets: bytes) -> None:
    with pytest.raises(NotAnalysable):
        read_record(octets)
