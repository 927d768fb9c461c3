/** The releases of cards against the bound deal map, for the declarers that the play log names. */

import { type Hand, OUT_OF_PLAY, SHOWN_TO_ALL } from "./bodies.js";
import type { Entry } from "./playlog.js";
import { type DealMap, OUT, type Place, UP_CARD } from "./ruleset.js";
import type { At, Story } from "./story.js";

/** What was released of one hand, and what its row of the map asks for. */
interface Dealt {
  readonly row: readonly Place[];
  /** Null until somebody takes the deal. */
  readonly declarer: number | null;
  readonly stages: ReadonlySet<number>;
}

/** What is wrong with the releases, or null. */
export function brokenHands(story: Story, map: DealMap, entries: readonly Entry[]): string | null {
  const dealt: Dealt[] = [];
  for (const { body } of story.hands) {
    const before = dealt[body.hand - 1];
    if (before !== undefined && before.declarer !== null && !isDealtOut(before)) {
      return `Hand ${body.hand} was dealt before hand ${body.hand - 1} was dealt out.`;
    }
    const known = dealt[body.hand] ?? emptyHand(story, map, entries, body.hand);
    if (known === null) return `Hand ${body.hand} was taken by a seat that is not there.`;
    const wrong = brokenRelease(body, known, story);
    if (wrong !== null) return `Hand ${body.hand}, stage ${body.stage}: ${wrong}.`;
    dealt[body.hand] = { ...known, stages: new Set([...known.stages, body.stage]) };
  }
  return brokenDecisions(dealt, entries);
}

function emptyHand(story: Story, map: DealMap, entries: readonly Entry[], hand: number): Dealt | null {
  const taken = entries.find((entry) => entry.hand === hand && (entry.action === "accept" || entry.action === "choose"));
  const declarer = taken?.seat ?? null;
  const row = map[declarer === null ? 0 : (declarer - dealerOf(story, hand) + 4 * map.length) % map.length];
  const seats = story.opened.body.seats.length;
  return row === undefined || (declarer ?? 0) >= seats ? null : { row, declarer, stages: new Set() };
}

function dealerOf({ opened: { body } }: Story, hand: number): number {
  return (body.firstDealer + hand) % body.seats.length;
}

function brokenRelease(hand: Hand, { row, declarer, stages }: Dealt, story: Story): string | null {
  if (hand.stage !== stages.size) return "stages do not follow one another";
  if (hand.stage > 0 && declarer === null) return "cards were released before anybody took the deal";
  const expected = row.filter(({ stage }) => stage === hand.stage);
  const dealer = dealerOf(story, hand.hand);
  const seats = story.opened.body.seats.length;
  const fits = expected.length > 0 && expected.length === hand.places.length && expected.every((place, at) => {
    const released = hand.places[at];
    return released?.position === place.position && released.seat === seatOf(place, dealer, seats);
  });
  return fits ? null : "the positions are not those of the deal map";
}

function seatOf({ seat }: Place, dealer: number, seats: number): number {
  if (seat === UP_CARD) return SHOWN_TO_ALL;
  return seat === OUT ? OUT_OF_PLAY : (dealer + seat) % seats;
}

/** Whether every card that is played with was released. */
function isDealtOut({ row, stages }: Dealt): boolean {
  return row.every(({ seat, stage }) => seat === OUT || stages.has(stage));
}

function brokenDecisions(dealt: readonly Dealt[], entries: readonly Entry[]): string | null {
  for (const [at, { hand, action }] of entries.entries()) {
    const known = dealt[hand];
    if (known === undefined || (action === "play" && !isDealtOut(known))) {
      return `Decision ${at} was taken on cards that the dealer had not released.`;
    }
  }
  return null;
}

/** The cards that a seat got in a release, as its receipt lists them: positions and cards in the order of the event. */
export function cardsOf(
  { body }: At<Hand>, seat: number, pack: readonly number[],
): readonly { readonly position: number; readonly card: number | undefined }[] {
  return body.places
    .filter((place) => place.seat === seat)
    .map(({ position }) => ({ position, card: pack[position] }));
}
