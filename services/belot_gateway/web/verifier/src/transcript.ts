/** The events of a match: their octets, their chain and their order. */

import { sha256 } from "@noble/hashes/sha2.js";
import { type Body, readBody } from "./bodies.js";
import { Reader, same } from "./octets.js";

const LABEL = "belot.club/transcript/v1";

export interface Event {
  readonly matchId: string;
  readonly sequence: bigint;
  readonly previousHash: Uint8Array;
  readonly body: Body;
  readonly timeMs: bigint;
  /** Of the event's own octets. */
  readonly hash: Uint8Array;
}

/** An event of its octets. */
export function readEvent(octets: Uint8Array): Event {
  const reader = new Reader(octets);
  reader.label(LABEL);
  const matchId = reader.matchId();
  const sequence = reader.u64("sequence");
  const previousHash = reader.take(32, "hash of the event before");
  const kind = reader.u8("kind");
  const body = reader.long("body");
  const timeMs = reader.u64("time");
  reader.end();
  return { matchId, sequence, previousHash, body: readBody(kind, body), timeMs, hash: sha256(octets) };
}

/** What is wrong with the chain, or null. */
export function brokenChain(events: readonly Event[], matchId: string): string | null {
  let previousHash: Uint8Array = new Uint8Array(32);
  let timeMs = 0n;
  for (const [at, event] of events.entries()) {
    if (event.matchId !== matchId) return `Event ${at} belongs to another match than the file.`;
    if (event.sequence !== BigInt(at)) return `Event ${at} does not carry its place in the sequence.`;
    if (!same(event.previousHash, previousHash)) return `Event ${at} does not name the hash of the one before it.`;
    if (event.timeMs < timeMs) return `Event ${at} stands before the one before it in time.`;
    previousHash = event.hash;
    timeMs = event.timeMs;
  }
  return null;
}

type Kind = Body["kind"];

/** Which kinds may come after a kind. Kinds of later versions are stepped over. */
const AFTER: Readonly<Record<Kind | "nothing", readonly Kind[]>> = {
  nothing: ["opened"],
  opened: ["seeds", "revealed"],
  seeds: ["round chosen"],
  "round chosen": ["beacon", "fallback", "revealed"],
  beacon: ["hand", "revealed"],
  fallback: ["hand", "revealed"],
  hand: ["hand", "revealed"],
  revealed: [],
  unknown: [],
};

/** What is wrong with the order, or null. */
export function brokenOrder(events: readonly Event[]): string | null {
  let last: Kind | "nothing" = "nothing";
  for (const [at, { body }] of events.entries()) {
    if (body.kind === "unknown" && at > 0) continue;
    if (!AFTER[last].includes(body.kind)) return `Event ${at} (${body.kind}) may not come after ${last}.`;
    last = body.kind;
  }
  return last === "nothing" ? "There is no event." : null;
}
