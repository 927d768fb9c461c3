/** What one client kept, held against the match. */

import type { Hand } from "./bodies.js";
import { PATIENCE } from "./deal_points.js";
import { type Chain, timeOf, verifyBeacon } from "./drand.js";
import type { Evidence } from "./files.js";
import { type KeyRing, type Signed, holds, keyIdOf, ringOf } from "./keys.js";
import { Malformed, same } from "./octets.js";
import type { Packs } from "./play_points.js";
import { type HandReceipt, readBeaconReceipt, readHandReceipt, readSeedReceipt } from "./receipts.js";
import { type Point, failed, notChecked, notProtected, notWitnessed, proven } from "./report.js";
import type { Story } from "./story.js";

/** A match and what a client kept of it. */
export interface Witness {
  readonly story: Story;
  readonly chain: Chain;
  readonly packs: Packs | null;
  /** The keys of the proof file. */
  readonly publicKeys: readonly Uint8Array[];
  readonly evidence: Evidence;
}

/** The witness points, in their order. */
export function witnessPoints(witness: Witness): readonly Point[] {
  const { evidence, story } = witness;
  if (evidence.matchId !== story.matchId || evidence.seat >= story.opened.body.seats.length) {
    return [failed("witness", "The evidence is of another match, or of a seat that is not there.")];
  }
  const points = [keysPoint, commitmentPoint, roundPoint, seedPoint, beaconPoint, handsPoint];
  return points.map((point) => {
    const made = point(witness);
    return { ...made, name: `witness ${made.name}` };
  });
}

/** A receipt, when a key of the proof file signed it and its octets are one. */
function held<T>(signed: Signed, publicKeys: readonly Uint8Array[], read: (octets: Uint8Array) => T): T | null {
  const ring: KeyRing = ringOf(publicKeys);
  if (!holds(signed, ring)) return null;
  try {
    return read(signed.octets);
  } catch (error) {
    if (error instanceof Malformed) return null;
    throw error;
  }
}

function keysPoint({ evidence, publicKeys }: Witness): Point {
  if (evidence.publicKeys.length === 0) return notChecked("keys", "The client kept no key of the dealer.");
  const known = ringOf(evidence.publicKeys);
  return publicKeys.every((key) => known.has(keyIdOf(key)))
    ? proven("keys", "The file is signed with keys that the client knew.")
    : failed("keys", "The file is signed with a key that the client did not know.");
}

/** When the value of the chosen round could first exist; null when no round was chosen. */
function dueOf({ story, chain }: Witness): bigint | null {
  const round = story.chosen?.body.round ?? 0n;
  return round === 0n ? null : timeOf(chain, round);
}

function commitmentPoint(witness: Witness): Point {
  const { commitment } = witness.evidence;
  if (commitment === null) return notWitnessed("commitment", "The client kept no commitment.");
  if (!same(commitment.octets, witness.story.opened.body.commitment)) {
    return failed("commitment", "The client was told another commitment.");
  }
  const due = dueOf(witness);
  return due === null || commitment.learntMs < due
    ? proven("commitment", "The client knew the commitment before the value could exist.")
    : notWitnessed("commitment", "The client learnt the commitment when the value could already exist.");
}

function roundPoint(witness: Witness): Point {
  const { round } = witness.evidence;
  const due = dueOf(witness);
  if (round === null || due === null) return notWitnessed("round", "The client kept no round, or none was chosen.");
  if (round.round !== witness.story.chosen?.body.round) return failed("round", "The client was told another round.");
  return round.learntMs < due
    ? proven("round", "The client knew the round before its value could exist.")
    : notWitnessed("round", "The client learnt the round when its value could already exist.");
}

function seedPoint({ evidence, story, publicKeys }: Witness): Point {
  const { seed, seedReceipt, seat, matchId } = evidence;
  if (seed.length === 0) return notChecked("seed", "The client sent no seed.");
  const receipt = seedReceipt === null ? null : held(seedReceipt, publicKeys, readSeedReceipt);
  const isOwn = receipt !== null && receipt.matchId === matchId && receipt.seat === seat && same(receipt.seed, seed)
    && same(receipt.commitment, story.opened.body.commitment);
  if (seedReceipt !== null && !isOwn) return failed("seed", "The receipt does not hold, or is for something else.");
  if (story.seeds === null) return notChecked("seed", "The match ended before seeds were shown.");
  const used = story.seeds.body.seats[seat]?.seed ?? new Uint8Array();
  if (same(used, seed)) return proven("seed", "The deal used the seed that the client sent.");
  if (used.length > 0) return failed("seed", "The deal used another seed than the client sent.");
  return receipt !== null && receipt.timeMs <= story.seeds.timeMs
    ? failed("seed", "The dealer signed for the seed in time, and dealt without it.")
    : notProtected("seed", "The deal did without the client's seed, and no receipt says that it came in time.");
}

function beaconPoint({ evidence, story, chain, publicKeys }: Witness): Point {
  const { beacon, beaconReceipt } = evidence;
  if (beacon === null && beaconReceipt === null) return notChecked("beacon", "The client kept no beacon.");
  if (beacon !== null && !verifyBeacon(chain.publicKey, beacon.round, beacon.signature)) {
    return failed("beacon", "The beacon that the client kept does not hold.");
  }
  const answer = story.answer?.body;
  if (answer === undefined) return notChecked("beacon", "The match ended before a beacon was needed.");
  if (answer.kind === "beacon") {
    return beacon === null || (beacon.round === answer.round && same(beacon.signature, answer.signature))
      ? proven("beacon", "The client got the same beacon.")
      : failed("beacon", "The client got another beacon.");
  }
  if (answer.round === 0n) return failed("beacon", "The match fell back from a round that does not exist.");
  const limit = timeOf(chain, answer.round) + PATIENCE;
  const receipt = beaconReceipt === null ? null : held(beaconReceipt, publicKeys, readBeaconReceipt);
  if (receipt !== null && receipt.matchId === story.matchId && receipt.round === answer.round) {
    if (!verifyBeacon(chain.publicKey, receipt.round, receipt.signature)) {
      return failed("beacon", "The dealer signed for a beacon that does not hold.");
    }
    if (receipt.timeMs < limit) return failed("beacon", "The dealer had the valid beacon in time, and fell back.");
  }
  return beacon !== null && beacon.round === answer.round && beacon.learntMs < limit
    ? notProtected("beacon", "The client had the beacon in time, but the dealer did not sign for it.")
    : proven("beacon", "Nothing that the client kept speaks against the fallback.");
}

function handsPoint({ evidence, packs, story, publicKeys }: Witness): Point {
  if (evidence.handReceipts.length === 0) return notChecked("hands", "The client kept no receipts of cards.");
  const releases = story.hands.map(({ body }) => body);
  for (const [at, signed] of evidence.handReceipts.entries()) {
    const receipt = held(signed, publicKeys, readHandReceipt);
    if (receipt === null || receipt.matchId !== evidence.matchId || receipt.seat !== evidence.seat) {
      return failed("hands", `Receipt ${at} does not hold, or is for something else.`);
    }
    if (!agrees(receipt, releases, packs?.[receipt.hand])) {
      return failed("hands", `Receipt ${at} shows other cards than packs and releases.`);
    }
  }
  return proven("hands", `All ${evidence.handReceipts.length} receipts agree with packs and releases.`);
}

/** Whether a receipt lists the positions that its seat got, in their order, each with the card of the pack. */
function agrees(receipt: HandReceipt, releases: readonly Hand[], pack: readonly number[] | undefined): boolean {
  const places = releases
    .filter(({ hand, stage }) => hand === receipt.hand && stage === receipt.stage)
    .flatMap(({ places }) => places)
    .filter(({ seat }) => seat === receipt.seat);
  return pack !== undefined && places.length === receipt.cards.length && places.every(({ position }, at) => {
    const got = receipt.cards[at];
    return got?.position === position && got.card === pack[position];
  });
}
