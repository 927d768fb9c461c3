"""`belot explain`: any position judged offline, for people in lines and for programs as JSON."""

import json
from dataclasses import dataclass

from belot_cli.rule_words import asked, cards_in_order, hand_of, ruleset_asked, suit_named, written, wrong
from belot_engine.cards import cards_of
from belot_engine.errors import CLAUSE_TEXT
from belot_engine.explain import Explanation, Verdict, explain
from belot_engine.notation import Position, card_text, cards_text, hand_text, parse_position, position_text, suit_text
from belot_engine.ruleset import Ruleset, ruleset_hash


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked on the command line; None and empty where nothing was said."""

    ruleset: str | None
    trump: str | None
    table: str | None
    hand: str | None
    card: str | None
    position: str | None
    players: int | None
    pack: int | None
    options: tuple[str, ...]


def told(question: Asked, *, as_json: bool) -> str:
    """The answer as text. Errors: click.UsageError."""
    position = _position(question)
    rules = ruleset_asked(position.ruleset, position.seats, position.pack, question.options)
    card = None
    if question.card is not None:
        named = cards_in_order("--card", question.card)
        if len(named) != 1:
            raise wrong("--card", "name one card of the hand, as in 8H")
        card = named[0]
    with asked():
        found = explain(rules, position.trump, position.trick, position.hand, card)
    return _as_json(rules, position, found) if as_json else "\n".join(_lines(position, found))


def _position(question: Asked) -> Position:
    parts = (question.trump, question.table, question.hand)
    if question.position is not None:
        if any(part is not None for part in (question.ruleset, question.players, question.pack, *parts)):
            raise wrong("--position", "it says ruleset, players, pack, trump, table and hand; leave those options away")
        with written():
            return parse_position(question.position)
    for option, value in (("--ruleset", question.ruleset), ("--trump", question.trump), ("--hand", question.hand)):
        if value is None:
            raise wrong(option, 'say it, or a whole position, as in --position "bela D | KH 7D | 8H AH KC AC"')
    rules = ruleset_asked(question.ruleset or "", question.players, question.pack, question.options)
    return Position(
        ruleset=rules.name,
        trump=suit_named("--trump", question.trump or ""),
        trick=cards_in_order("--table", question.table or ""),
        hand=hand_of("--hand", question.hand or ""),
        seats=rules.seats,
        pack=rules.pack,
    )


def _as_json(rules: Ruleset, position: Position, found: Explanation) -> str:
    answer = {
        "legal": [card_text(card) for card in cards_of(found.legal)],
        "refused": {card_text(each.card): _clause(each) for each in found.refused},
        "allowed_by": {card_text(each.card): list(each.allowed_by) for each in found.refused},
        "asked": None if found.asked is None else _verdict(found.asked),
        "position": position_text(position),
        "ruleset": {"name": rules.name, "version": rules.version, "hash": ruleset_hash(rules)},
    }
    return json.dumps(answer)


def _verdict(verdict: Verdict) -> dict[str, object]:
    return {
        "card": card_text(verdict.card),
        "legal": verdict.legal,
        "clause": _clause(verdict),
        "reason": _reason(verdict),
        "allowed_by": list(verdict.allowed_by),
    }


def _clause(verdict: Verdict) -> str | None:
    return None if verdict.clause is None else verdict.clause.value


def _reason(verdict: Verdict) -> str | None:
    return None if verdict.clause is None else CLAUSE_TEXT[verdict.clause]


def _lines(position: Position, found: Explanation) -> list[str]:
    table = f"on the table {cards_text(position.trick)}" if position.trick else "nothing on the table"
    lines = [
        f"{position.ruleset}, trump {suit_text(position.trump)}, {table}",
        f"may be played      {hand_text(found.legal)}",
    ]
    lines += [f"may not be played  {card_text(each.card)}  {_forbidden(each)}" for each in found.refused]
    if found.asked is not None:
        name = card_text(found.asked.card)
        may = "may be played" if found.asked.legal else f"may not be played: {_forbidden(found.asked)}"
        lines.append(f"{name} {may}")
    return lines


def _forbidden(verdict: Verdict) -> str:
    elsewhere = f" (allowed by {', '.join(verdict.allowed_by)})" if verdict.allowed_by else ""
    return f"{_clause(verdict)}: {_reason(verdict)}{elsewhere}"
