/** The releases of cards against the bound deal map, for the declarers that the play log names. */

import { type Hand, OUT_OF_PLAY, SHOWN_TO_ALL } from "./bodies.js";
import type { Entry } from "./playlog.js";
import { OUT, type Place, type Ruleset, UP_CARD } from "./ruleset.js";
import type { Story } from "./story.js";

/** What was released of one hand, what its row of the map asks for, and what the log says was decided in it. */
interface Dealt {
  readonly row: readonly Place[];
  /** Null until somebody takes the deal. */
  readonly declarer: number | null;
  readonly isOver: boolean;
  readonly stages: ReadonlySet<number>;
}

/** What is wrong with the releases, or null. */
export function brokenHands(story: Story, ruleset: Ruleset, entries: readonly Entry[]): string | null {
  const dealt: Dealt[] = [];
  for (const { body } of story.hands) {
    if (body.hand !== dealt.length && body.hand !== dealt.length - 1) return `Hand ${body.hand} is out of order.`;
    const before = body.hand === dealt.length ? dealt[body.hand - 1] : undefined;
    if (before !== undefined && !(before.isOver && isDealtOut(before))) {
      return `Hand ${body.hand} was dealt before the hand before it was over.`;
    }
    const known = dealt[body.hand] ?? newHand(story, ruleset, entries, body.hand);
    if (known === null) return `Hand ${body.hand} was taken by a seat that is not there.`;
    const wrong = brokenRelease(body, known, story);
    if (wrong !== null) return `Hand ${body.hand}, stage ${body.stage}: ${wrong}.`;
    dealt[body.hand] = { ...known, stages: new Set([...known.stages, body.stage]) };
  }
  return brokenDecisions(dealt, entries);
}

function newHand(story: Story, ruleset: Ruleset, entries: readonly Entry[], hand: number): Dealt | null {
  const seats = story.opened.body.seats.length;
  const own = entries.filter((entry) => entry.hand === hand);
  const declarer = own.find(({ action }) => action === "accept" || action === "choose")?.seat ?? null;
  if (declarer !== null && declarer >= seats) return null;
  // The first stage is dealt before anybody can take the deal, so every row has the same one.
  const fromDealer = declarer === null ? 0 : (declarer - dealerOf(story, hand) + seats) % seats;
  const count = (wanted: Entry["action"]) => own.filter(({ action }) => action === wanted).length;
  const isOver = declarer === null
    ? count("pass") === seats * ruleset.biddingRounds
    : isPlayedOut(own, seats, seats * ruleset.handSize);
  return { row: ruleset.dealMap[fromDealer] ?? [], declarer, isOver, stages: new Set() };
}

/** Whether every card was played, or whole tricks were and the rest was claimed, which ends a hand. */
function isPlayedOut(own: readonly Entry[], seats: number, cards: number): boolean {
  const played = own.filter(({ action }) => action === "play").length;
  if (own.at(-1)?.action !== "claim") return played === cards;
  return own.filter(({ action }) => action === "claim").length === 1 && played % seats === 0 && played < cards;
}

function dealerOf({ opened: { body } }: Story, hand: number): number {
  return (body.firstDealer + hand) % body.seats.length;
}

function brokenRelease(hand: Hand, { row, declarer, isOver, stages }: Dealt, story: Story): string | null {
  if (hand.stage !== stages.size) return "stages do not follow one another";
  if (hand.stage > 0 && declarer === null) return "cards were released before anybody took the deal";
  const expected = row.filter(({ stage }) => stage === hand.stage);
  if (expected.some(({ seat }) => seat === OUT) && !isOver) return "cards out of play were shown too early";
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

/** Whether all that a hand shows was released: nothing more is due when nobody took it. */
function isDealtOut({ row, declarer, stages }: Dealt): boolean {
  return declarer === null || row.every(({ stage }) => stages.has(stage));
}

/** Whether every card that is played with was released. */
function isPlayable({ row, stages }: Dealt): boolean {
  return row.every(({ seat, stage }) => seat === OUT || stages.has(stage));
}

function brokenDecisions(dealt: readonly Dealt[], entries: readonly Entry[]): string | null {
  for (const [at, { hand, action }] of entries.entries()) {
    const known = dealt[hand];
    if (known === undefined || ((action === "play" || action === "claim") && !isPlayable(known))) {
      return `Decision ${at} was taken on cards that the dealer had not released.`;
    }
  }
  return null;
}
