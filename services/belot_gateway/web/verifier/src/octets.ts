/** The building blocks of canonical octets: reading with refusal, writing, hexadecimal text. */

/** A record, file or value that is not in its one canonical form. The message says where. */
export class Malformed extends Error {}

const NAME = /^[A-Za-z0-9._:/+-]{0,64}$/;
const MATCH_ID = /^[A-Za-z0-9._:-]{1,64}$/;
const HEX = /^(?:[0-9a-f]{2})*$/;
export const U32_MAX = 0xffff_ffff;
export const U64_MAX = 0xffff_ffff_ffff_ffffn;

/** Whether a text may stand as a match id. */
export function isMatchId(text: string): boolean {
  return MATCH_ID.test(text);
}

/** The octets of a text that is ASCII. */
export function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

/** The text of octets, one character each. */
export function textOf(octets: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < octets.length; at += 8192) parts.push(String.fromCharCode(...octets.subarray(at, at + 8192)));
  return parts.join("");
}

/** Lower-case hexadecimal of octets. */
export function hexOf(octets: Uint8Array): string {
  return Array.from(octets, (octet) => octet.toString(16).padStart(2, "0")).join("");
}

/** Octets of lower-case hexadecimal; refuses anything else. */
export function octetsOf(hex: string): Uint8Array {
  if (!HEX.test(hex)) throw new Malformed("not lower-case hexadecimal of whole octets");
  const octets = new Uint8Array(hex.length / 2);
  for (let at = 0; at < octets.length; at += 1) octets[at] = Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16);
  return octets;
}

/** Whether two runs of octets are the same. Nothing compared here is secret, so time does not matter. */
export function same(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((octet, at) => octet === other[at]);
}

/** Octets put together. */
export function join(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** An unsigned number of 1, 4 or 8 octets, big-endian. */
export function unsigned(value: number | bigint, octets: 1 | 4 | 8): Uint8Array {
  let rest = BigInt(value);
  const written = new Uint8Array(octets);
  for (let at = octets - 1; at >= 0; at -= 1) {
    written[at] = Number(rest & 0xffn);
    rest >>= 8n;
  }
  if (rest !== 0n) throw new Malformed(`a number does not fit ${octets} octets`);
  return written;
}

/** A u8 length and the octets. */
export function short(octets: Uint8Array): Uint8Array {
  return join(unsigned(octets.length, 1), octets);
}

/** Takes one record apart from its front; every refusal is `Malformed`. */
export class Reader {
  private at = 0;
  private readonly octets: Uint8Array;

  constructor(octets: Uint8Array) {
    this.octets = octets;
  }

  /** The next octets, so many. */
  take(length: number, what: string): Uint8Array {
    const end = this.at + length;
    if (end > this.octets.length) throw new Malformed(`the octets end inside ${what}`);
    const taken = this.octets.slice(this.at, end);
    this.at = end;
    return taken;
  }

  u8(what: string): number {
    return this.take(1, what)[0] ?? 0;
  }

  u32(what: string): number {
    return Number(this.number(4, what));
  }

  u64(what: string): bigint {
    return this.number(8, what);
  }

  private number(octets: number, what: string): bigint {
    return this.take(octets, what).reduce((value, octet) => (value << 8n) | BigInt(octet), 0n);
  }

  /** A short, of a length when one is given. */
  short(what: string, length?: number): Uint8Array {
    const octets = this.take(this.u8(what), what);
    if (length !== undefined && octets.length !== length) throw new Malformed(`${what} has ${octets.length} octets`);
    return octets;
  }

  long(what: string): Uint8Array {
    return this.take(this.u32(what), what);
  }

  /** A name, of so many characters at least. */
  name(what: string, least = 0): string {
    const text = this.text(what, NAME);
    if (text.length < least) throw new Malformed(`${what} is empty`);
    return text;
  }

  matchId(): string {
    return this.text("match id", MATCH_ID);
  }

  private text(what: string, allowed: RegExp): string {
    const text = textOf(this.take(this.u8(what), what));
    if (!allowed.test(text)) throw new Malformed(`${what} has other characters or another length than allowed`);
    return text;
  }

  /** The label that every record starts with. */
  label(label: string): void {
    const found = this.octets.subarray(0, label.length);
    if (textOf(found) !== label) throw new Malformed(`the record does not start with ${label}`);
    this.at = label.length;
  }

  /** As many things as the u8 says. */
  many<T>(what: string, read: () => T): readonly T[] {
    return Array.from({ length: this.u8(what) }, read);
  }

  /** Nothing may be left over. */
  end(): void {
    if (this.at !== this.octets.length) throw new Malformed(`${this.octets.length - this.at} octets are left over`);
  }
}
