/** Ed25519 signatures of records, and the ids of keys. */

import { ed25519 } from "@noble/curves/ed25519.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { sha512 } from "@noble/hashes/sha2.js";
import { ascii, hexOf, join, same } from "./octets.js";

const CONTEXT = ascii("belot.club/signature/v1");
const ORDER = ed25519.Point.Fn.ORDER;

/** Octets with the signature over them and the id of the key that made it. */
export interface Signed {
  readonly keyId: string;
  readonly octets: Uint8Array;
  readonly signature: Uint8Array;
}

/** Public keys by their ids. */
export type KeyRing = ReadonlyMap<string, Uint8Array>;

/** The id of a public key: 8 octets of its hash, in hexadecimal. */
export function keyIdOf(publicKey: Uint8Array): string {
  return hexOf(sha256(publicKey).subarray(0, 8));
}

/** Keys by their ids. */
export function ringOf(publicKeys: readonly Uint8Array[]): KeyRing {
  return new Map(publicKeys.map((key) => [keyIdOf(key), key]));
}

/** Whether a record is signed with one of the keys. */
export function holds(signed: Signed, keys: KeyRing): boolean {
  const key = keys.get(signed.keyId);
  return key !== undefined && verifyEd25519(key, join(CONTEXT, sha256(signed.octets)), signed.signature);
}

function littleEndian(octets: Uint8Array): bigint {
  return octets.reduceRight((value, octet) => (value << 8n) | BigInt(octet), 0n);
}

/**
 * RFC 8032 verification without the cofactor: the encoding of [S]B - [k]A must be R, octet for octet.
 *
 * Written out because most libraries of other languages check this equation, while the curve library's own `verify`
 * multiplies by the cofactor: a signer could make signatures on which the two disagree.
 */
function verifyEd25519(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const r = signature.subarray(0, 32);
  const s = littleEndian(signature.subarray(32));
  if (publicKey.length !== 32 || signature.length !== 64 || s >= ORDER) return false;
  const k = littleEndian(sha512(join(r, publicKey, message))) % ORDER;
  try {
    const a = ed25519.Point.fromBytes(publicKey);
    const expected = ed25519.Point.BASE.multiplyUnsafe(s).subtract(a.multiplyUnsafe(k));
    return same(expected.toBytes(), r);
  } catch {
    return false;
  }
}
