/** Rounds and times of a beacon chain, and the BLS check of scheme bls-unchained-g1-rfc9380. */

import { bls12_381 } from "@noble/curves/bls12-381.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { ascii, hexOf, join, octetsOf, same, unsigned } from "./octets.js";

export const SCHEME = "bls-unchained-g1-rfc9380";
export const QUICKNET_HASH = octetsOf("52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971");
export const SECOND = 1_000n;
const TAG = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";

/** The parameters of a chain; its hash binds all of them. */
export interface Chain {
  readonly beaconId: string;
  readonly chainHash: Uint8Array;
  /** Unix seconds of round 1. */
  readonly genesis: bigint;
  readonly groupHash: Uint8Array;
  /** Seconds from round to round. */
  readonly period: number;
  readonly publicKey: Uint8Array;
}

/** The hash that the parameters give. */
export function chainHashOf(chain: Omit<Chain, "chainHash">): Uint8Array {
  const id = chain.beaconId === "default" ? "" : chain.beaconId;
  const { period, genesis, publicKey, groupHash } = chain;
  return sha256(join(unsigned(period, 4), unsigned(genesis, 8), publicKey, groupHash, ascii(id)));
}

/** Whether this is drand's quicknet. Its hash covers all parameters, so nothing else need be compared. */
export function isQuicknet(chain: Chain): boolean {
  return same(chain.chainHash, QUICKNET_HASH);
}

/** When a round is due, unix milliseconds. */
export function timeOf(chain: Chain, round: bigint): bigint {
  return (chain.genesis + BigInt(chain.period) * (round - 1n)) * SECOND;
}

/** The round that the rule gives: the least one due a second after the close, and above what was verified before. */
export function roundAfter(chain: Chain, closeMs: bigint, highestVerified: bigint): bigint {
  const period = BigInt(chain.period) * SECOND;
  const wait = closeMs + SECOND - chain.genesis * SECOND;
  const due = wait <= 0n ? 1n : (wait + period - 1n) / period + 1n;
  return due > highestVerified ? due : highestVerified + 1n;
}

/** The value that a signature stands for. */
export function valueOf(signature: Uint8Array): Uint8Array {
  return sha256(signature);
}

type KeyPoint = InstanceType<typeof bls12_381.G2.Point>;

/** Keys that were looked at before: a chain's key takes as long to check as a signature. */
const KEYS = new Map<string, KeyPoint | null>();

function keyPointOf(publicKey: Uint8Array): KeyPoint | null {
  const name = hexOf(publicKey);
  const known = KEYS.get(name);
  if (known !== undefined) return known;
  const point = pointOf(bls12_381.G2.Point, publicKey);
  KEYS.set(name, point);
  return point;
}

/** Whether a public key is a point that signatures can be checked with. */
export function isBeaconKey(publicKey: Uint8Array): boolean {
  return keyPointOf(publicKey) !== null;
}

/** The beacon that was checked last: the transcript's and the one that a client kept are mostly the same. */
let last = { name: "", holds: false };

/** Whether a signature is that of the chain for the round: canonical points of the prime order, and the pairing. */
export function verifyBeacon(publicKey: Uint8Array, round: bigint, signature: Uint8Array): boolean {
  const name = `${hexOf(publicKey)} ${round} ${hexOf(signature)}`;
  if (last.name !== name) last = { name, holds: checked(publicKey, round, signature) };
  return last.holds;
}

function checked(publicKey: Uint8Array, round: bigint, signature: Uint8Array): boolean {
  const point = pointOf(bls12_381.G1.Point, signature);
  const key = keyPointOf(publicKey);
  if (round < 1n || point === null || key === null) return false;
  const message = bls12_381.G1.hashToCurve(sha256(unsigned(round, 8)), { DST: TAG });
  const { Fp12 } = bls12_381.fields;
  const pairing = bls12_381.pairingBatch([
    { g1: bls12_381.G1.Point.fromAffine(message.toAffine()), g2: key },
    { g1: point.negate(), g2: bls12_381.G2.Point.BASE },
  ]);
  return Fp12.eql(pairing, Fp12.ONE);
}

interface Point {
  assertValidity(): void;
  is0(): boolean;
  toBytes(compressed: boolean): Uint8Array;
}

/** A compressed point, or null unless canonical, not infinity, on the curve and in the subgroup of prime order. */
function pointOf<P extends Point>(group: { fromBytes(octets: Uint8Array): P }, octets: Uint8Array): P | null {
  try {
    const point = group.fromBytes(octets);
    // On the curve and in the subgroup. Decoding looks too, but everything rests on this.
    point.assertValidity();
    const sound = !point.is0() && same(point.toBytes(true), octets);
    return sound ? point : null;
  } catch {
    return null;
  }
}
