"""The analysis of a match as lines for people and as JSON for programs. Pure."""

import json
from collections.abc import Iterator, Sequence

from belot_bot.analysis import MatchAnalysis, SeatCost, costs_of
from belot_bot.record import HandRecord
from belot_cli.cards import show_card, show_suit
from belot_engine.analysis import CardCost, DealAnalysis
from belot_engine.notation import card_text, suit_text
from belot_engine.ruleset import ruleset_hash

_NAME = 11
_CELL = 10


def lines(found: MatchAnalysis, budget: int, engine: str) -> Iterator[str]:
    """A table a deal, then what each seat gave away and the result without luck; at most 80 columns."""
    rules = found.record.rules
    yield f"match      {found.record.match_id}"
    yield f"ruleset    {rules.name}, {rules.seats} players, {rules.pack} cards"
    yield f"solved     by the {engine} engine, at most {budget:,} positions a deal"
    yield f"{'':{_NAME}}in card points: melds and contracts are not weighed"
    for hand, deal in zip(found.record.hands, found.deals, strict=True):
        yield ""
        yield from _deal_lines(hand, deal, budget)
    totals = found.totals()
    yield ""
    yield f"── all deals {'─' * 67}"
    if totals.deals:
        yield _row("", [f"side {side}" for side in range(len(totals.par))])
        yield _row("par", totals.par)
        yield _row("taken", totals.taken)
        yield _row("luck", [_signed(value) for value in totals.luck])
        yield _row("skill", [_signed(value) for value in totals.skill])
        yield _row("adjusted", [_figure(value) for value in totals.adjusted])
    yield f"{'':{_NAME}}over {totals.deals} of {len(found.deals)} deals, those solved whole and played out"
    for each in found.costs():
        yield f"seat {each.seat}     {each.decider:<10}{each.cost:>5} points given away in {each.cards} cards"


def _deal_lines(hand: HandRecord, deal: DealAnalysis, budget: int) -> Iterator[str]:
    played = hand.played
    head = f"── deal {hand.number} · trump {show_suit(played.trump)} · seat {played.declarer} declares "
    yield head + "─" * (80 - len(head))
    seats = played.ruleset.seats
    for start in range(0, len(deal.cards), seats):
        trick = deal.cards[start : start + seats]
        cells = "".join(f"{_card(each):<{_CELL}}" for each in trick)
        yield f"{start // seats + 1:>3}  seat {trick[0].seat}  {cells}".rstrip()
    for each, decider in zip(deal.cards, hand.deciders, strict=False):
        if each.cost and each.best is not None:
            said = f"{show_card(each.card)} costs {each.cost}, best {show_card(each.best)}"
            yield f"     seat {each.seat} ({decider})  {said}"
    if played.claimant is not None:
        agreed = f"the others agreed, which cost them {deal.conceded}" if played.agreed else "certain"
        yield f"     seat {played.claimant} ({hand.deciders[-1]})  claimed the rest: {agreed}"
    if deal.first_trick:
        yield f"     solved from trick {deal.first_trick + 1} on: {budget:,} positions do not reach further back"
    yield from _figures(hand, deal)


def _figures(hand: HandRecord, deal: DealAnalysis) -> Iterator[str]:
    if deal.par is not None:
        yield _row("", [f"side {side}" for side in range(len(deal.par))])
        yield _row("par", deal.par)
    if deal.taken is None:
        yield f"{'taken':{_NAME}}not played out"
        return
    yield _row("taken", deal.taken)
    if deal.luck is not None and deal.skill is not None and deal.adjusted is not None:
        yield _row("luck", [_signed(value) for value in deal.luck])
        yield _row("skill", [_signed(value) for value in deal.skill])
        yield _row("adjusted", [_figure(value) for value in deal.adjusted])
    if hand.scores is not None:
        yield _row("score", hand.scores)


def _card(each: CardCost) -> str:
    return f"{show_card(each.card)} −{each.cost}" if each.cost else show_card(each.card)


def _row(name: str, values: Sequence[object]) -> str:
    return f"{name:{_NAME}}" + "".join(f"{value!s:>9}" for value in values)


def _figure(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _signed(value: float) -> str:
    return f"{value:+.1f}".removesuffix(".0").replace("-", "−")


def as_json(found: MatchAnalysis, budget: int, engine: str) -> str:
    """The same, every legal card's cost included; `decision` is the number in the match's record."""
    rules, totals = found.record.rules, found.totals()
    answer = {
        "match_id": found.record.match_id,
        "ruleset": {"name": rules.name, "version": rules.version, "hash": ruleset_hash(rules)},
        "engine": engine,
        "budget": budget,
        "deals": [_deal(hand, deal) for hand, deal in zip(found.record.hands, found.deals, strict=True)],
        "costs": [_seat(each) for each in found.costs()],
        "totals": {
            "deals": totals.deals,
            "par": totals.par,
            "taken": totals.taken,
            "luck": _rounded(totals.luck),
            "skill": totals.skill,
            "adjusted": _rounded(totals.adjusted),
        },
    }
    return json.dumps(answer)


def _deal(hand: HandRecord, deal: DealAnalysis) -> dict[str, object]:
    played = hand.played
    return {
        "hand": hand.number,
        "dealer": hand.dealer,
        "declarer": played.declarer,
        "trump": suit_text(played.trump),
        "first_trick": deal.first_trick,
        "par": deal.par,
        "taken": deal.taken,
        "luck": _rounded(deal.luck),
        "skill": deal.skill,
        "adjusted": _rounded(deal.adjusted),
        "score": hand.scores,
        "claim": _claim(hand, deal),
        "cards": [
            _played(at, hand, each, decider)
            for at, (each, decider) in enumerate(zip(deal.cards, hand.deciders, strict=False))
        ],
        "costs": [_seat(each) for each in costs_of([(hand, deal)])],
    }


def _played(at: int, hand: HandRecord, each: CardCost, decider: str) -> dict[str, object]:
    return {
        "decision": hand.numbers[at],
        "trick": at // hand.played.ruleset.seats,
        "seat": each.seat,
        "by": decider,
        "card": card_text(each.card),
        "cost": each.cost,
        "best": None if each.best is None else card_text(each.best),
        "options": {card_text(card): cost for card, cost in each.options},
    }


def _claim(hand: HandRecord, deal: DealAnalysis) -> dict[str, object] | None:
    played = hand.played
    if played.claimant is None:
        return None
    number, decider = hand.numbers[-1], hand.deciders[-1]
    answer = {"decision": number, "seat": played.claimant, "by": decider, "agreed": played.agreed}
    return answer | {"conceded": deal.conceded}


def _seat(each: SeatCost) -> dict[str, object]:
    return {"seat": each.seat, "by": each.decider, "cards": each.cards, "cost": each.cost}


def _rounded(values: Sequence[float] | None) -> list[float] | None:
    return None if values is None else [round(value, 2) for value in values]
