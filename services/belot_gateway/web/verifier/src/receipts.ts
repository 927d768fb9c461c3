/** What the dealer signed for one player. */

import { Reader } from "./octets.js";

export interface SeedReceipt {
  readonly matchId: string;
  readonly seat: number;
  readonly seed: Uint8Array;
  readonly commitment: Uint8Array;
  readonly timeMs: bigint;
}

export interface HandReceipt {
  readonly matchId: string;
  readonly hand: number;
  readonly stage: number;
  readonly seat: number;
  readonly cards: readonly { readonly position: number; readonly card: number }[];
  readonly timeMs: bigint;
}

export interface BeaconReceipt {
  readonly matchId: string;
  readonly round: bigint;
  readonly signature: Uint8Array;
  readonly timeMs: bigint;
}

/** A receipt for a client seed. */
export function readSeedReceipt(octets: Uint8Array): SeedReceipt {
  const reader = new Reader(octets);
  reader.label("belot.club/receipt/seed/v1");
  const matchId = reader.matchId();
  const seat = reader.u8("seat");
  const seed = reader.short("seed", 16);
  const commitment = reader.take(32, "commitment");
  const timeMs = reader.u64("time");
  reader.end();
  return { matchId, seat, seed, commitment, timeMs };
}

/** A receipt for the cards that one seat got at one stage. */
export function readHandReceipt(octets: Uint8Array): HandReceipt {
  const reader = new Reader(octets);
  reader.label("belot.club/receipt/hand/v1");
  const matchId = reader.matchId();
  const hand = reader.u32("hand");
  const stage = reader.u8("stage");
  const seat = reader.u8("seat");
  const cards = reader.many("cards", () => ({ position: reader.u8("position"), card: reader.u8("card") }));
  const timeMs = reader.u64("time");
  reader.end();
  return { matchId, hand, stage, seat, cards, timeMs };
}

/** A receipt for a beacon that a client handed in. */
export function readBeaconReceipt(octets: Uint8Array): BeaconReceipt {
  const reader = new Reader(octets);
  reader.label("belot.club/receipt/beacon/v1");
  const matchId = reader.matchId();
  const round = reader.u64("round");
  const signature = reader.short("beacon signature", 48);
  const timeMs = reader.u64("time");
  reader.end();
  return { matchId, round, signature, timeMs };
}
