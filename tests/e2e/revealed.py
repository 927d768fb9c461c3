"""The packs of a finished match, computed again from its proof file alone."""

from belot_fair.bodies import Beacon, Hand, Opened, Revealed, Seeds
from belot_fair.keys import key_id_of
from belot_fair.proof import Proof
from belot_fair.recipe import NO_VALUE, shuffle
from belot_fair.transcript import check_chain


def dealt_by_transcript(proof: Proof) -> dict[int, dict[int, list[int]]]:
    """What each seat must have got: hand number → seat → card numbers in the order of the transcript's releases."""
    bodies = [event.body for event in check_chain(proof.events, {key_id_of(key): key for key in proof.public_keys})]
    (opened,) = (body for body in bodies if isinstance(body, Opened))
    (seeds,) = (body for body in bodies if isinstance(body, Seeds))
    (revealed,) = (body for body in bodies if isinstance(body, Revealed))
    beacons = [body for body in bodies if isinstance(body, Beacon)]
    round, value = (beacons[0].round, beacons[0].value) if beacons else (0, NO_VALUE)
    dealt: dict[int, dict[int, list[int]]] = {}
    for body in bodies:
        if isinstance(body, Hand):
            brought = [seat.seed for seat in seeds.seats]
            pack = shuffle(revealed.server_seed, body.hand, brought, round, value, opened.pack_size)
            for position, seat in body.positions:
                if seat < len(opened.seats):
                    dealt.setdefault(body.hand, {}).setdefault(seat, []).append(pack[position])
    return dealt
