/** The events of a match by what they are, and the packs that follow from them. */

import type { Beacon, Body, Fallback, Hand, Opened, Revealed, RoundChosen, Seeds } from "./bodies.js";
import { Malformed, same } from "./octets.js";
import { commitmentOf, packOf } from "./recipe.js";
import type { Event } from "./transcript.js";

export interface At<B extends Body> {
  readonly body: B;
  readonly timeMs: bigint;
}

export interface Story {
  readonly matchId: string;
  readonly opened: At<Opened>;
  readonly seeds: At<Seeds> | null;
  readonly chosen: At<RoundChosen> | null;
  readonly answer: At<Beacon> | At<Fallback> | null;
  readonly hands: readonly At<Hand>[];
  readonly revealed: At<Revealed> | null;
}

function all<K extends Body["kind"]>(events: readonly Event[], kind: K): readonly At<Extract<Body, { kind: K }>>[] {
  return events.filter((event) => event.body.kind === kind) as unknown as readonly At<Extract<Body, { kind: K }>>[];
}

/** The story of events whose order holds. */
export function storyOf(matchId: string, events: readonly Event[]): Story {
  const opened = all(events, "opened")[0];
  if (opened === undefined) throw new Malformed("the match was never opened");
  return {
    matchId,
    opened,
    seeds: all(events, "seeds")[0] ?? null,
    chosen: all(events, "round chosen")[0] ?? null,
    answer: all(events, "beacon")[0] ?? all(events, "fallback")[0] ?? null,
    hands: all(events, "hand"),
    revealed: all(events, "revealed")[0] ?? null,
  };
}

/** The server seed, if it was revealed and is the one that was committed to. */
export function committedSeed({ opened, revealed }: Story): Uint8Array | null {
  if (revealed === null) return null;
  const { serverSeed } = revealed.body;
  return same(commitmentOf(serverSeed), opened.body.commitment) ? serverSeed : null;
}

/** The pack of every hand that was dealt, by its number; refuses hands that are not counted from 0 without a gap. */
export function packsOf(story: Story, serverSeed: Uint8Array): readonly (readonly number[])[] {
  const { seeds, answer, hands, opened } = story;
  if (seeds === null || answer === null) throw new Malformed("no card may be dealt before seeds and value are known");
  const numbers = new Set(hands.map(({ body }) => body.hand));
  const count = numbers.size;
  if ([...numbers].some((hand) => hand >= count)) throw new Malformed("hands are not counted from 0 without a gap");
  const inputs = {
    serverSeed,
    seeds: seeds.body.seats.map(({ seed }) => seed),
    round: answer.body.kind === "beacon" ? answer.body.round : 0n,
    value: answer.body.kind === "beacon" ? answer.body.value : new Uint8Array(32),
  };
  return Array.from({ length: count }, (_, hand) => packOf(inputs, hand, opened.body.packSize));
}
