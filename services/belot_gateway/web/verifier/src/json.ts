/** Strict JSON: a file is its one canonical text, and an object has exactly the fields that it should. */

import { Malformed, U64_MAX, octetsOf, textOf } from "./octets.js";

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

const DECIMAL = /^(?:0|[1-9][0-9]{0,19})$/;

/** The value of a file in ASCII: sorted fields, one space of indent, a line feed at the end. */
export function readDocument(octets: Uint8Array, most: number): Json {
  if (octets.length > most) throw new Malformed(`it is longer than ${most} octets`);
  const text = textOf(octets);
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
    if (`${written(value, "\n")}\n` === text) return value;
  } catch (error) {
    // A file of very many brackets runs out of stack, which is as much its own fault as a syntax error.
    if (error instanceof SyntaxError || error instanceof RangeError) throw new Malformed("it is not JSON");
    throw error;
  }
  throw new Malformed("it is not in its canonical form");
}

function written(value: Json, line: string): string {
  if (value === null || typeof value !== "object") return scalar(value);
  const inner = `${line} `;
  if (isList(value)) {
    return value.length === 0 ? "[]" : `[${inner}${value.map((item) => written(item, inner)).join(`,${inner}`)}${line}]`;
  }
  const names = Object.keys(value).sort();
  if (names.length === 0) return "{}";
  const fields = names.map((name) => `${scalar(name)}: ${written(value[name] ?? null, inner)}`);
  return `{${inner}${fields.join(`,${inner}`)}${line}}`;
}

function scalar(value: null | boolean | number | string): string {
  const text = JSON.stringify(value);
  return text.replace(/[\u0080-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** RFC 8785 text of a value that JSON.parse gave. */
export function canonicalText(value: Json): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (isList(value)) return `[${value.map(canonicalText).join(",")}]`;
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalText(value[name] ?? null)}`).join(",")}}`;
}

/** The fields of an object, which must be these and no others; each getter refuses what is not of its type. */
export class Fields {
  private readonly fields: { readonly [name: string]: Json };
  private readonly path: string;

  constructor(value: Json, path: string, names: readonly string[]) {
    if (value === null || typeof value !== "object" || isList(value)) throw new Malformed(`${path} is not an object`);
    const found = Object.keys(value).sort();
    if (found.join() !== [...names].sort().join()) throw new Malformed(`${path} has other fields than it should`);
    this.fields = value;
    this.path = path;
  }

  private refuse(name: string, what: string): never {
    throw new Malformed(`${this.path}.${name} is not ${what}`);
  }

  value(name: string): Json {
    return this.fields[name] ?? null;
  }

  text(name: string, most = 64): string {
    const value = this.value(name);
    if (typeof value !== "string" || value.length > most) return this.refuse(name, `a text of at most ${most}`);
    return value;
  }

  whole(name: string): number {
    const value = this.value(name);
    return typeof value === "number" && Number.isSafeInteger(value) ? value : this.refuse(name, "a whole number");
  }

  list(name: string, most: number): readonly Json[] {
    const value = this.value(name);
    return isList(value) && value.length <= most ? value : this.refuse(name, `a list of at most ${most}`);
  }

  /** Octets in hexadecimal, exactly so many. */
  octets(name: string, length: number): Uint8Array {
    const octets = this.octetsUpTo(name, length);
    return octets.length === length ? octets : this.refuse(name, `${length} octets`);
  }

  /** Octets in hexadecimal, at most so many. */
  octetsUpTo(name: string, most: number): Uint8Array {
    return octetsOf(this.text(name, 2 * most));
  }

  /** A u64 in decimal digits. */
  decimal(name: string): bigint {
    const text = this.text(name);
    const value = DECIMAL.test(text) ? BigInt(text) : this.refuse(name, "a decimal number");
    return value <= U64_MAX ? value : this.refuse(name, "a number of 64 bits");
  }

  /** What `read` makes of an object, or null where it is null. */
  optional<T>(name: string, names: readonly string[], read: (fields: Fields) => T): T | null {
    const value = this.value(name);
    return value === null ? null : read(new Fields(value, `${this.path}.${name}`, names));
  }
}
