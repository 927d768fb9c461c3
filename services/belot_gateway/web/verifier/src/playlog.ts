/** The play log: who decided what. Read here for its form and for who declared; plays are judged elsewhere. */

import { Malformed, Reader } from "./octets.js";

const LABEL = "belot.club/playlog/v1";
const PERSON = 0;
const BOT = 1;
const CLOCK = 2;

export type Action = "pass" | "accept" | "choose" | "play" | "claim" | "unknown";

/** The actions by number, with the length of their arguments. Later versions add more, of any length. */
const ACTIONS: readonly { readonly action: Action; readonly argument?: number }[] = [
  { action: "pass", argument: 0 },
  { action: "accept", argument: 0 },
  { action: "choose", argument: 1 },
  { action: "play", argument: 1 },
  // A claim of the remaining tricks: certain by what its seat had seen, or agreed by the opponents.
  { action: "claim", argument: 0 },
  { action: "claim", argument: 0 },
];

export interface Entry {
  readonly hand: number;
  readonly seat: number;
  readonly action: Action;
}

export interface PlayLog {
  readonly matchId: string;
  readonly entries: readonly Entry[];
}

/** A play log of its octets. */
export function readPlayLog(octets: Uint8Array): PlayLog {
  const reader = new Reader(octets);
  reader.label(LABEL);
  const matchId = reader.matchId();
  const count = reader.u32("count");
  const entries: Entry[] = [];
  // One by one: a count that lies ends with the octets, before anything large is made.
  while (entries.length < count) entries.push(readEntry(reader));
  reader.end();
  return { matchId, entries };
}

function readEntry(reader: Reader): Entry {
  const hand = reader.u32("hand");
  const seat = reader.u8("seat");
  readActor(reader);
  const { action, argument } = ACTIONS[reader.u8("action")] ?? { action: "unknown" };
  reader.short("argument", argument);
  reader.u64("time");
  return { hand, seat, action };
}

function readActor(reader: Reader): void {
  const kind = reader.u8("actor");
  if (kind > CLOCK) throw new Malformed("an actor is not known");
  reader.short("participant", kind === PERSON ? 16 : 0);
  const level = reader.name("bot level");
  const policy = reader.name("bot policy");
  const isBot = kind === BOT;
  if ((level !== "") !== isBot || (policy !== "") !== isBot) throw new Malformed("level and policy go with bots alone");
}
