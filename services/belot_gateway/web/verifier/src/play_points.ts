/** What is checked of the play: the log's form, packs, releases of cards. Plays, score and bots are not checked here. */

import { sha256 } from "@noble/hashes/sha2.js";
import { brokenHands } from "./hands.js";
import { Malformed, same } from "./octets.js";
import { type PlayLog, readPlayLog } from "./playlog.js";
import { type Point, failed, notChecked, proven } from "./report.js";
import { type Ruleset, readRuleset } from "./ruleset.js";
import { type Story, committedSeed, packsOf } from "./story.js";

export type Packs = readonly (readonly number[])[];

/** A point, and the thing that it is about if it could be made. */
export interface Made<T> {
  readonly point: Point;
  readonly value: T | null;
}

function attempted<T>(name: string, make: () => Made<T>): Made<T> {
  try {
    return make();
  } catch (error) {
    if (error instanceof Malformed) return { point: failed(name, `${sentence(error.message)}.`), value: null };
    throw error;
  }
}

function sentence(message: string): string {
  return message.charAt(0).toUpperCase() + message.slice(1);
}

/** The play log: canonical, of this match, bound by the reveal. */
export function playLogPoint(story: Story, octets: Uint8Array): Made<PlayLog> {
  return attempted("play log", () => {
    const value = readPlayLog(octets);
    const { revealed, matchId } = story;
    if (revealed === null) return { point: failed("play log", "The match was never closed by a reveal."), value };
    if (value.matchId !== matchId) return { point: failed("play log", "The play log is of another match."), value };
    if (!same(sha256(octets), revealed.body.playLogHash)) {
      return { point: failed("play log", "The play log is not the one that the reveal binds."), value };
    }
    return { point: proven("play log", `The reveal binds this play log; ending: ${revealed.body.ending}.`), value };
  });
}

/** The packs: made again for every hand, counted from 0 without a gap. */
export function packsPoint(story: Story): Made<Packs> {
  return attempted("packs", () => {
    const seed = committedSeed(story);
    if (seed === null) return { point: notChecked("packs", "There is no committed server seed."), value: null };
    if (story.answer === null) return { point: notChecked("packs", "The match ended before a card was dealt."), value: [] };
    const value = packsOf(story, seed);
    return { point: proven("packs", `${value.length} packs were made again from seeds and value.`), value };
  });
}

/** The ruleset: failed where the bound JSON contradicts the opening; whether it is a published one is not checked. */
export function rulesetPoint(story: Story): Made<Ruleset> {
  return attempted("ruleset", () => ({
    value: readRuleset(story.opened.body),
    point: notChecked("ruleset", "Not checked here: whether the bound JSON is the published ruleset of its name."),
  }));
}

/** The releases of cards. */
export function handsPoint(story: Story, log: PlayLog | null, packs: Packs | null, ruleset: Ruleset | null): Point {
  if (log === null) return notChecked("hands", "There is no play log that can be read.");
  if (ruleset === null) return notChecked("hands", "There is no deal map to hold the releases against.");
  if (packs === null && story.hands.length > 0) return failed("hands", "There are no packs to deal from.");
  const wrong = brokenHands(story, ruleset, log.entries);
  if (wrong !== null) return failed("hands", wrong);
  const count = story.hands.length;
  return proven("hands", `${count} releases are those of the deal map; whether the plays before them were legal is not checked here.`);
}

/** What this verifier leaves to one that knows the rules. */
export function restPoints(): readonly Point[] {
  return ["plays", "score", "bots"].map((name) => notChecked(name, "Not checked here: it takes the rules of the game."));
}

/** Whether the commitment is one of those that the dealer answers for: it takes an inclusion file. */
export function listedPoint(): Point {
  return notChecked("listed", "Not checked here: the list of all commitments was not compared.");
}
