/** The ruleset as OPENED binds it, as far as a verifier without the rules of the game can read it. */

import type { Opened } from "./bodies.js";
import { type Json, canonicalText } from "./json.js";
import { Malformed, textOf } from "./octets.js";

export const UP_CARD = -1;
export const OUT = -2;

/** Where a position of the pack goes: a seat counted from the dealer, the up-card or out of play; and at which stage. */
export interface Place {
  readonly position: number;
  readonly seat: number;
  readonly stage: number;
}

/** The places for each declarer, counted from the dealer, in the order of the pack. */
export type DealMap = readonly (readonly Place[])[];

export interface Ruleset {
  readonly dealMap: DealMap;
  /** Cards of each seat in a hand that is played. */
  readonly handSize: number;
  /** How often everybody may pass before a hand is thrown in. */
  readonly biddingRounds: number;
}

/** The bound JSON; refuses one that is of another ruleset than the opening says. */
export function readRuleset(opened: Opened): Ruleset {
  const ruleset = parsed(textOf(opened.rulesetJson));
  const said: Record<string, Json> = {
    name: opened.rulesetName,
    version: opened.rulesetVersion,
    pack: opened.packSize,
    seats: opened.seats.length,
  };
  for (const [name, value] of Object.entries(said)) {
    if (ruleset[name] !== value) throw new Malformed(`the bound JSON has another ${name} than the opening`);
  }
  const rows = listOf(ruleset["deal_map"]);
  if (rows.length !== opened.seats.length) throw new Malformed("the deal map has not one row for each declarer");
  return {
    dealMap: rows.map((row) => readRow(listOf(row), opened)),
    handSize: numberOf(ruleset["hand_size"]),
    biddingRounds: numberOf(ruleset["bidding_rounds"]),
  };
}

function parsed(text: string): Record<string, Json> {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
    if (canonicalText(value) !== text) throw new Malformed("the bound JSON is not canonical");
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) throw new Malformed("the bound JSON is no JSON");
    throw error;
  }
  if (value === null || typeof value !== "object" || Array.isArray(value)) throw new Malformed("the bound JSON is no object");
  return value as Record<string, Json>;
}

function numberOf(value: Json | undefined): number {
  if (typeof value !== "number") throw new Malformed("hand size or bidding rounds are malformed");
  return value;
}

function listOf(value: Json | undefined): readonly Json[] {
  if (!Array.isArray(value)) throw new Malformed("the deal map is malformed");
  return value as readonly Json[];
}

function readRow(row: readonly Json[], opened: Opened): readonly Place[] {
  const places = row.map((place) => {
    const [position, seat, stage, ...more] = listOf(place);
    if (typeof position !== "number" || typeof seat !== "number" || typeof stage !== "number" || more.length > 0) {
      throw new Malformed("the deal map is malformed");
    }
    if (seat < OUT || seat >= opened.seats.length) throw new Malformed("the deal map names a seat that is not there");
    return { position, seat, stage };
  });
  const positions = places.map(({ position }) => position).sort((one, other) => one - other);
  const whole = positions.length === opened.packSize && positions.every((position, at) => position === at);
  if (!whole) throw new Malformed("the deal map does not deal every position once");
  return places;
}
