"""`belot score`, `belot melds` and `belot deal-map`: a deal counted offline, for people and as JSON."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from belot_cli.rule_words import asked, hand_of, numbers, suit_named, wrong
from belot_engine.cards import side_count, side_of
from belot_engine.events import Meld, ScoreSheet
from belot_engine.given import GivenDeal, GivenMelds, deal_positions, melds_given, score_given
from belot_engine.notation import hand_text
from belot_engine.ruleset import Ruleset, ruleset_hash
from belot_rules.line_names import line_name


@dataclass(frozen=True, slots=True)
class Figures:
    """What `belot score` was told, lists over sides still as they were typed; None where nothing was said."""

    declarer: int
    points: str
    tricks: str | None
    melds: str | None
    bela: str | None
    last: int | None
    first: int
    out: int
    totals: str | None
    bolts: str | None
    held: int


def score_told(rules: Ruleset, figures: Figures, *, as_json: bool) -> str:
    """The score sheet as text. Errors: click.UsageError."""
    points = numbers("--points", figures.points)
    deal = GivenDeal(
        declarer=figures.declarer,
        points=points,
        tricks=numbers("--tricks", figures.tricks) or _tricks_left_open(rules, points),
        melds=numbers("--melds", figures.melds),
        bela=numbers("--bela", figures.bela),
        last=figures.last,
        first=figures.first,
        out_points=figures.out,
        totals=numbers("--totals", figures.totals),
        bolts=numbers("--bolts", figures.bolts),
        held=figures.held,
    )
    with asked():
        sheet = score_given(rules, deal)
    return _sheet_json(rules, sheet) if as_json else "\n".join(_sheet_lines(rules, sheet))


def _tricks_left_open(rules: Ruleset, points: Sequence[int]) -> tuple[int, ...]:
    """Tricks for sides that all have points: how many does not matter, that there were some does."""
    sides = side_count(rules.seats)
    if len(points) == sides and min(points) <= 0:
        raise wrong("--tricks", "say how many each side took, as in 8,0: one of them has no point")
    share, over = divmod(rules.hand_size, sides)
    return tuple(share + (side < over) for side in range(sides))


def _sheet_json(rules: Ruleset, sheet: ScoreSheet) -> str:
    answer = {
        "score": list(sheet.scores),
        "outcome": sheet.contract.value,
        "declarer": sheet.declarer,
        "lines": [{"name": line_name(each.kind, rules.scoring), "values": list(each.values)} for each in sheet.lines],
        "totals": list(sheet.totals),
        "bolts": list(sheet.bolts),
        "held": sheet.held,
        "target": sheet.target,
        "ruleset": _ref(rules),
    }
    return json.dumps(answer)


def _sheet_lines(rules: Ruleset, sheet: ScoreSheet) -> list[str]:
    sides = range(len(sheet.scores))
    head = "".join(f"{f'side {side}' + ('*' if side == sheet.declarer else ''):>9}" for side in sides)
    rows = [(line_name(each.kind, rules.scoring), each.values) for each in sheet.lines]
    rows += [("score", sheet.scores), ("totals", sheet.totals)]
    lines = [f"{rules.name}: {sheet.contract.value} (* declared)", f"{'':<12}{head}"]
    lines += [f"{name.replace('_', ' '):<12}" + "".join(f"{value:>9}" for value in values) for name, values in rows]
    return lines + ([f"held for the next deal: {sheet.held}"] if sheet.held else [])


def melds_told(rules: Ruleset, trump: str, first: int, hands: str, *, as_json: bool) -> str:
    """The melds of all hands as text. Errors: click.UsageError."""
    masks = [hand_of("--hands", hand) for hand in hands.split(";")]
    if len(masks) != rules.seats:
        raise wrong("--hands", f"{len(masks)} hands, not {rules.seats}: write one for each seat from 0, with ; between")
    with asked():
        given = melds_given(rules, suit_named("--trump", trump), masks, first)
    return _melds_json(rules, given) if as_json else "\n".join(_melds_lines(rules, given))


def _melds_json(rules: Ruleset, given: GivenMelds) -> str:
    bela = [rules.bela_points if side == given.bela else 0 for side in range(len(given.points))]
    answer = {
        "points": list(given.points),
        "bela": bela,
        "counted": [_meld(rules, meld) for meld in given.counted],
        "melds": [_meld(rules, meld) for melds in given.by_seat for meld in melds],
        "ruleset": _ref(rules),
    }
    return json.dumps(answer)


def _meld(rules: Ruleset, meld: Meld) -> dict[str, object]:
    return {
        "seat": meld.player,
        "side": side_of(meld.player, rules.seats),
        "kind": meld.kind.value,
        "cards": hand_text(meld.cards).split(),
        "points": meld.points,
    }


def _melds_lines(rules: Ruleset, given: GivenMelds) -> list[str]:
    lines = [f"{'side':<6}{'points':>7}"] + [f"{side:<6}{points:>7}" for side, points in enumerate(given.points)]
    for melds in given.by_seat:
        for meld in melds:
            counts = "counts" if meld in given.counted else "does not count"
            lines.append(f"seat {meld.player}: {meld.kind.value} {hand_text(meld.cards)}, {meld.points}, {counts}")
    if given.bela is not None:
        lines.append(f"side {given.bela} has king and queen of trumps: {rules.bela_points}")
    return lines


def deal_map_told(rules: Ruleset, dealer: int, declarer: int | None, *, as_json: bool) -> str:
    """Who gets which position of the pack, as text. Errors: click.UsageError."""
    if declarer is None and rules.turned_up:
        raise wrong("--declarer", "say which seat declares: it gets the card turned up and one card fewer afterwards")
    with asked():
        deal = deal_positions(rules, dealer, dealer if declarer is None else declarer)
    if as_json:
        hands = [list(hand) for hand in deal.hands]
        return json.dumps({"hands": hands, "up_card": deal.up_card, "out": list(deal.out), "ruleset": _ref(rules)})
    lines = [f"seat {seat}: {' '.join(map(str, hand))}" for seat, hand in enumerate(deal.hands)]
    lines += [] if deal.up_card is None else [f"turned up: {deal.up_card}"]
    return "\n".join(lines + ([f"left out: {' '.join(map(str, deal.out))}"] if deal.out else []))


def _ref(rules: Ruleset) -> dict[str, object]:
    return {"name": rules.name, "version": rules.version, "hash": ruleset_hash(rules)}
