/** From seeds and beacon value to packs: recipe `belot.club/deal/v1`. */

import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { Malformed, ascii, join, short, unsigned } from "./octets.js";

export const RECIPE = "belot.club/deal/v1";
const PACK = 32;
const RANKS = 8;
const EIGHT = 1;

/** What every pack of a match is made from. The round is 0, and the value zeros, without a beacon. */
export interface Inputs {
  readonly serverSeed: Uint8Array;
  /** One for each seat in table order: 16 octets, or none. */
  readonly seeds: readonly Uint8Array[];
  readonly round: bigint;
  readonly value: Uint8Array;
}

/** What is published of a server seed before the match. */
export function commitmentOf(serverSeed: Uint8Array): Uint8Array {
  return sha256(serverSeed);
}

/** The pack of hand k: cards 8 * suit + rank by position. A pack of 24 leaves out 7s and 8s. */
export function packOf(inputs: Inputs, hand: number, size: number): readonly number[] {
  refuseOddInputs(inputs);
  const octets = streamOf(inputs, hand);
  const pack = Array.from({ length: PACK }, (_, card) => card);
  for (let at = PACK - 1; at > 0; at -= 1) {
    const limit = 256 - (256 % (at + 1));
    let octet = octets.next().value;
    while (octet >= limit) octet = octets.next().value;
    const other = octet % (at + 1);
    [pack[at], pack[other]] = [pack[other] ?? 0, pack[at] ?? 0];
  }
  if (size === PACK) return pack;
  if (size === 24) return pack.filter((card) => card % RANKS > EIGHT);
  throw new Malformed("a pack has 24 or 32 cards");
}

function refuseOddInputs({ serverSeed, seeds, round, value }: Inputs): void {
  // A longer key would be hashed by HMAC, and the published commitment would be the key itself.
  if (serverSeed.length !== 32) throw new Malformed("a server seed has 32 octets");
  if (seeds.length < 2 || seeds.length > 4) throw new Malformed("a table has 2 to 4 seats");
  if (value.length !== 32) throw new Malformed("a value has 32 octets");
  if (seeds.some((seed) => seed.length !== 0 && seed.length !== 16)) throw new Malformed("a seed has 16 octets or none");
  if ((round === 0n) !== value.every((octet) => octet === 0)) throw new Malformed("round 0 and zeros go together");
}

function* streamOf({ serverSeed, seeds, round, value }: Inputs, hand: number): Generator<number, never> {
  const rest = join(unsigned(seeds.length, 1), ...seeds.map(short), unsigned(round, 8), value);
  for (let block = 0; ; block += 1) {
    const message = join(ascii(RECIPE), unsigned(hand, 4), unsigned(block, 4), rest);
    yield* hmac(sha256, serverSeed, message);
  }
}
