"""A match that nobody sits at, told in one line a deal: contract, outcome, score. Pure."""

from belot.rules.v1 import match_pb2
from belot.table.v1 import view_pb2
from belot_cli.cards import show_suit
from belot_cli.convert import sheet_of, suit_of
from belot_cli.render import outcome_text, result_line
from belot_cli.scene import Scene, Sheet, seat_name, side_names
from belot_cli.tell import tell, tell_game

_OPENING = frozenset({"seat_changed", "round_chosen", "beacon_fixed"})


class MatchTeller:
    """Remembers the contract of the running deal, so that its line can be told when it is scored."""

    def __init__(self) -> None:
        """No contract yet."""
        self._contract = ""

    def lines(self, event: view_pb2.TableEvent, scene: Scene) -> tuple[str, ...]:
        """The lines for one event; `scene` is the picture after it."""
        kind = event.WhichOneof("kind") or ""
        if kind == "match_opened":
            commitment = event.match_opened.fairness.commitment.hex()[:16]
            return (f"   the dealer is bound to a seed it drew ({commitment}…)",)
        if kind != "game":
            return tell(event, scene) if kind in _OPENING else ()
        return self._game(event.game, scene)

    def _game(self, event: match_pb2.MatchEvent, scene: Scene) -> tuple[str, ...]:
        kind = event.WhichOneof("kind")
        if kind == "trump_chosen":
            suit, seat = suit_of(event.trump_chosen.trump), event.trump_chosen.declarer
            self._contract = f"{'' if suit is None else show_suit(suit)} by {seat_name(scene, seat)}"
        elif kind == "deal_scored":
            return (_deal_line(sheet_of(event.deal_scored), self._contract),)
        elif kind == "tricks_claimed":
            return tell_game(event, scene)[:1]
        elif kind == "hand_passed_out":
            return (f"deal {event.hand_passed_out.hand_number + 1:>2}  everybody passed",)
        elif kind == "match_ended":
            result = event.match_ended
            return (result_line(scene, result.outcome, tuple(result.ranks), tuple(result.totals)),)
        return ()


def _deal_line(sheet: Sheet, contract: str) -> str:
    score = " : ".join(f"{points:>4}" for points in sheet.score)
    totals = " : ".join(f"{points:>4}" for points in sheet.totals)
    return f"deal {sheet.hand_number + 1:>2}  {contract:<24} {outcome_text(sheet.outcome):<10} {score}   match {totals}"


def sides_line(scene: Scene) -> str:
    """Who plays whom, in the order of the score's figures."""
    return "   " + "  against  ".join(side_names(scene))
