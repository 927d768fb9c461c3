/** What one client kept, held against the match. */

import type { Chain } from "./drand.js";
import { SECOND, timeOf, verifyBeacon } from "./drand.js";
import type { Evidence } from "./files.js";
import { cardsOf } from "./hands.js";
import { type KeyRing, type Signed, holds, keyIdOf, ringOf } from "./keys.js";
import { Malformed, same } from "./octets.js";
import type { Packs } from "./play_points.js";
import { readBeaconReceipt, readHandReceipt, readSeedReceipt } from "./receipts.js";
import { type Point, failed, notChecked, notWitnessed, proven } from "./report.js";
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
  return [keysPoint, commitmentPoint, roundPoint, seedPoint, beaconPoint, handsPoint].map((point) => {
    const made = point(witness);
    return { ...made, name: `witness ${made.name}` };
  });
}

function ringFor({ evidence, publicKeys }: Witness): KeyRing {
  return ringOf(evidence.publicKeys.length > 0 ? evidence.publicKeys : publicKeys);
}

/** A receipt of its octets, or what is wrong with it. */
function receipt<T>(signed: Signed, ring: KeyRing, read: (octets: Uint8Array) => T): T | string {
  if (!holds(signed, ring)) return "its signature does not hold";
  try {
    return read(signed.octets);
  } catch (error) {
    if (error instanceof Malformed) return error.message;
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
  return story.chosen === null ? null : timeOf(chain, story.chosen.body.round);
}

function inTime(name: string, learntMs: bigint, due: bigint | null): Point {
  if (due === null) return proven(name, "The client knew it, and no round was ever chosen.");
  return learntMs < due
    ? proven(name, "The client knew it before the value could exist.")
    : notWitnessed(name, "The client learnt of it when the value could already exist.");
}

function commitmentPoint(witness: Witness): Point {
  const { commitment } = witness.evidence;
  if (commitment === null) return notWitnessed("commitment", "The client kept no commitment.");
  if (!same(commitment.octets, witness.story.opened.body.commitment)) {
    return failed("commitment", "The client was told another commitment.");
  }
  return inTime("commitment", commitment.learntMs, dueOf(witness));
}

function roundPoint(witness: Witness): Point {
  const { round } = witness.evidence;
  if (round === null) return notWitnessed("round", "The client kept no round.");
  if (round.round !== witness.story.chosen?.body.round) return failed("round", "The client was told another round.");
  return inTime("round", round.learntMs, dueOf(witness));
}

function seedPoint(witness: Witness): Point {
  const { evidence, story } = witness;
  const used = story.seeds?.body.seats[evidence.seat]?.seed ?? null;
  if (evidence.seedReceipt !== null) {
    const given = receipt(evidence.seedReceipt, ringFor(witness), readSeedReceipt);
    if (typeof given === "string") return failed("seed", `The receipt: ${given}.`);
    const fits = given.matchId === story.matchId && given.seat === evidence.seat
      && same(given.commitment, story.opened.body.commitment);
    if (!fits) return failed("seed", "The receipt is of another match, seat or commitment.");
    if (evidence.seed !== null && !same(given.seed, evidence.seed)) return failed("seed", "The receipt is for another seed.");
    if (used !== null && !same(used, given.seed)) return failed("seed", "The deal did not use the seed of the receipt.");
  }
  if (evidence.seed === null) return notChecked("seed", "The client kept no seed.");
  if (used === null) return notChecked("seed", "The match ended before seeds were closed.");
  if (same(used, evidence.seed)) return proven("seed", "The deal used the seed that the client sent.");
  return used.length === 0
    ? notWitnessed("seed", "The deal used no seed of this seat, and no receipt says that one came in time.")
    : failed("seed", "The deal used another seed than the client sent.");
}

function beaconPoint(witness: Witness): Point {
  const { evidence, story, chain } = witness;
  const { answer } = story;
  if (evidence.beaconReceipt !== null) {
    const given = receipt(evidence.beaconReceipt, ringFor(witness), readBeaconReceipt);
    if (typeof given === "string") return failed("beacon", `The receipt: ${given}.`);
    if (given.matchId !== story.matchId) return failed("beacon", "The receipt is of another match.");
    const inHand = answer?.body.kind === "fallback" && given.round === answer.body.round
      && given.timeMs < timeOf(chain, given.round) + 5n * SECOND
      && verifyBeacon(chain.publicKey, given.round, given.signature);
    if (inHand) return failed("beacon", "The dealer had a valid beacon in hand and fell back all the same.");
  }
  const { beacon } = evidence;
  if (beacon === null || answer === null) return notChecked("beacon", "The client kept no beacon.");
  if (answer.body.kind === "fallback") return notChecked("beacon", "The match fell back; the client saw a beacon.");
  return beacon.round === answer.body.round && same(beacon.signature, answer.body.signature)
    ? proven("beacon", "The client got the same beacon.")
    : failed("beacon", "The client got another beacon.");
}

function handsPoint(witness: Witness): Point {
  const { evidence, packs, story } = witness;
  if (evidence.handReceipts.length === 0) return notChecked("hands", "The client kept no receipts of cards.");
  if (packs === null) return notChecked("hands", "There are no packs to hold the receipts against.");
  const ring = ringFor(witness);
  for (const [at, signed] of evidence.handReceipts.entries()) {
    const given = receipt(signed, ring, readHandReceipt);
    if (typeof given === "string") return failed("hands", `Receipt ${at}: ${given}.`);
    if (given.matchId !== story.matchId || given.seat !== evidence.seat) {
      return failed("hands", `Receipt ${at} is of another match or seat.`);
    }
    const release = story.hands.find(({ body }) => body.hand === given.hand && body.stage === given.stage);
    const cards = release === undefined ? [] : cardsOf(release, given.seat, packs[given.hand] ?? []);
    const fits = cards.length === given.cards.length && cards.length > 0
      && cards.every(({ position, card }, place) => {
        const got = given.cards[place];
        return got?.position === position && got.card === card;
      });
    if (!fits) return failed("hands", `Receipt ${at} shows other cards than packs and releases.`);
  }
  return proven("hands", `All ${evidence.handReceipts.length} receipts agree with packs and releases.`);
}
