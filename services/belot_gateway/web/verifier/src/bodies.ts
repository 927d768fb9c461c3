/** What the events of a match say, taken from their octets. */

import { Malformed, Reader, hexOf } from "./octets.js";

export const SHOWN_TO_ALL = 255;
export const OUT_OF_PLAY = 254;

export interface Seat {
  readonly participant: Uint8Array;
  readonly isBot: boolean;
}

export interface Opened {
  readonly kind: "opened";
  readonly recipe: string;
  readonly commitment: Uint8Array;
  readonly seats: readonly Seat[];
  readonly sides: readonly number[];
  readonly firstDealer: number;
  readonly rulesetName: string;
  readonly rulesetVersion: number;
  readonly rulesetHash: Uint8Array;
  readonly rulesetJson: Uint8Array;
  readonly packSize: number;
  readonly chainHash: Uint8Array;
  readonly chainName: string;
  readonly seedDeadlineMs: bigint;
}

export type SeedState = "given" | "missed" | "bot";

export interface Seeds {
  readonly kind: "seeds";
  readonly seats: readonly { readonly state: SeedState; readonly seed: Uint8Array }[];
}

export interface RoundChosen {
  readonly kind: "round chosen";
  readonly round: bigint;
  readonly closeMs: bigint;
  readonly highestVerified: bigint;
}

export interface Beacon {
  readonly kind: "beacon";
  readonly round: bigint;
  readonly signature: Uint8Array;
  readonly value: Uint8Array;
}

export interface Fallback {
  readonly kind: "fallback";
  readonly round: bigint;
}

export interface Hand {
  readonly kind: "hand";
  readonly hand: number;
  readonly stage: number;
  readonly places: readonly { readonly position: number; readonly seat: number }[];
}

export interface Revealed {
  readonly kind: "revealed";
  readonly serverSeed: Uint8Array;
  readonly playLogHash: Uint8Array;
  readonly ending: string;
}

/** A kind of a later version: stepped over. */
export interface Unknown {
  readonly kind: "unknown";
}

export type Body = Opened | Seeds | RoundChosen | Beacon | Fallback | Hand | Revealed | Unknown;

const READERS: ReadonlyMap<number, (reader: Reader) => Body> = new Map<number, (reader: Reader) => Body>([
  [1, readOpened],
  [2, readSeeds],
  [3, readRoundChosen],
  [4, readBeacon],
  [5, readFallback],
  [6, readHand],
  [7, readRevealed],
]);

/** The body of an event of a kind. */
export function readBody(kind: number, octets: Uint8Array): Body {
  const read = READERS.get(kind);
  if (read === undefined) return { kind: "unknown" };
  const reader = new Reader(octets);
  const body = read(reader);
  reader.end();
  return body;
}

function readSeat(reader: Reader): Seat {
  const participant = reader.take(16, "participant");
  const kind = reader.u8("seat kind");
  const level = reader.name("bot level");
  const policy = reader.name("bot policy");
  if (kind > 1) throw new Malformed("the kind of a seat is not known");
  const isBot = kind === 1;
  if ((level !== "") !== isBot || (policy !== "") !== isBot) throw new Malformed("level and policy go with bots alone");
  return { participant, isBot };
}

function readOpened(reader: Reader): Opened {
  const recipe = reader.name("recipe", 1);
  const commitment = reader.take(32, "commitment");
  const seats = reader.many("seats", () => readSeat(reader));
  if (seats.length < 2 || seats.length > 4) throw new Malformed("a match has 2 to 4 seats");
  if (new Set(seats.map(({ participant }) => hexOf(participant))).size < seats.length) {
    throw new Malformed("two seats have the same participant");
  }
  const sides = seats.map(() => reader.u8("side"));
  const firstDealer = reader.u8("first dealer");
  if (firstDealer >= seats.length) throw new Malformed("the first dealer has no seat");
  const rulesetName = reader.name("ruleset name", 1);
  const rulesetVersion = reader.u32("ruleset version");
  const rulesetHash = reader.take(32, "ruleset hash");
  const rulesetJson = reader.long("ruleset JSON");
  const packSize = reader.u8("pack size");
  const chainHash = reader.take(32, "chain hash");
  const chainName = reader.name("chain name", 1);
  const seedDeadlineMs = reader.u64("seed deadline");
  return {
    kind: "opened", recipe, commitment, seats, sides, firstDealer, rulesetName, rulesetVersion, rulesetHash,
    rulesetJson, packSize, chainHash, chainName, seedDeadlineMs,
  };
}

const SEED_STATES: readonly SeedState[] = ["given", "missed", "bot"];

function readSeeds(reader: Reader): Seeds {
  const seats = reader.many("seeds", () => {
    const state = SEED_STATES[reader.u8("seed state")];
    if (state === undefined) throw new Malformed("the state of a seed is not known");
    return { state, seed: reader.short("seed", state === "given" ? 16 : 0) };
  });
  return { kind: "seeds", seats };
}

function readRoundChosen(reader: Reader): RoundChosen {
  const round = reader.u64("round");
  const closeMs = reader.u64("close time");
  return { kind: "round chosen", round, closeMs, highestVerified: reader.u64("highest verified round") };
}

function readBeacon(reader: Reader): Beacon {
  const round = reader.u64("round");
  const signature = reader.short("beacon signature", 48);
  return { kind: "beacon", round, signature, value: reader.take(32, "value") };
}

function readFallback(reader: Reader): Fallback {
  const round = reader.u64("round");
  reader.name("reason", 1);
  return { kind: "fallback", round };
}

function readHand(reader: Reader): Hand {
  const hand = reader.u32("hand");
  const stage = reader.u8("stage");
  const places = reader.many("positions", () => ({ position: reader.u8("position"), seat: reader.u8("seat") }));
  return { kind: "hand", hand, stage, places };
}

function readRevealed(reader: Reader): Revealed {
  const serverSeed = reader.take(32, "server seed");
  const playLogHash = reader.take(32, "play log hash");
  const ending = reader.name("ending", 1);
  return { kind: "revealed", serverSeed, playLogHash, ending };
}
