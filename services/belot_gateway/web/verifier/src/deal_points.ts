/** What is checked of how the packs came about: opening, chain, commitment, seeds, round, beacon. */

import { sha256 } from "@noble/hashes/sha2.js";
import { type Chain, SECOND, isQuicknet, roundAfter, timeOf, valueOf, verifyBeacon } from "./drand.js";
import { same } from "./octets.js";
import { RECIPE } from "./recipe.js";
import { type Point, failed, notChecked, notProtected, proven } from "./report.js";
import { type Story, committedSeed } from "./story.js";

/** The beacon id of development chains. */
export const DEVELOPMENT = "belot-dev";
/** How long after its time a round is waited for. */
export const PATIENCE = 5n * SECOND;

/** The opening: a recipe that is known, and the JSON that the ruleset's hash binds. */
export function openedPoint({ opened: { body } }: Story): Point {
  if (body.recipe !== RECIPE) return failed("opened", "The recipe is not known here.");
  if (!same(sha256(body.rulesetJson), body.rulesetHash)) {
    return failed("opened", "The ruleset's JSON does not give the hash that was bound.");
  }
  if (body.packSize !== 24 && body.packSize !== 32) return failed("opened", "The pack has neither 24 nor 32 cards.");
  const bots = body.seats.filter(({ isBot }) => isBot).length;
  return proven("opened", `${body.seats.length} seats (${bots} bots), first dealer, ruleset and chain were bound first.`);
}

/** The chain: the one that was bound, and quicknet unless a development chain may stand in. */
export function chainPoint({ opened: { body } }: Story, chain: Chain, acceptDevelopment: boolean): Point {
  if (!same(body.chainHash, chain.chainHash) || body.chainName !== chain.beaconId) {
    return failed("beacon chain", "The chain in the file is not the one that the match was bound to.");
  }
  if (isQuicknet(chain)) return proven("beacon chain", "The chain is drand's quicknet.");
  if (chain.beaconId !== DEVELOPMENT) return failed("beacon chain", "The chain is not drand's quicknet.");
  const sentence = "The values of a development chain are picked by whoever runs it.";
  return (acceptDevelopment ? notProtected : failed)("beacon chain", sentence);
}

/** The server seed against its commitment. */
export function commitmentPoint(story: Story): Point {
  if (story.revealed === null) return failed("commitment", "The server seed was never revealed.");
  return committedSeed(story) === null
    ? failed("commitment", "The revealed server seed is not the one that was committed to.")
    : proven("commitment", "The revealed server seed gives the commitment of the opening.");
}

/** One entry for each seat, fitting who sits there, and nobody counted as missed before the deadline. */
export function seedsPoint({ opened, seeds }: Story): Point {
  if (seeds === null) return notChecked("seeds", "The match ended before seeds were closed.");
  const entries = seeds.body.seats;
  if (entries.length !== opened.body.seats.length) return failed("seeds", "There is not one entry for each seat.");
  const odd = opened.body.seats.findIndex(({ isBot }, seat) => isBot !== (entries[seat]?.state === "bot"));
  if (odd >= 0) return failed("seeds", `The entry of seat ${odd} does not fit who sits there.`);
  const missed = entries.flatMap(({ state }, seat) => (state === "missed" ? [seat] : []));
  if (missed.length === 0) return proven("seeds", "Every person brought a seed.");
  if (seeds.timeMs < opened.body.seedDeadlineMs) {
    return failed("seeds", `Seat ${missed.join(", ")} was counted as missed before the deadline.`);
  }
  return notProtected("seeds", `No seed came from seat ${missed.join(", ")}.`);
}

/** The round against the rule. */
export function roundPoint({ seeds, chosen }: Story, chain: Chain): Point {
  if (seeds === null || chosen === null) return notChecked("round", "The match ended before a round was chosen.");
  const { round, closeMs, highestVerified } = chosen.body;
  if (closeMs !== seeds.timeMs) return failed("round", "The close time is not the time at which seeds were closed.");
  if (round !== roundAfter(chain, closeMs, highestVerified)) {
    return failed("round", "The round is not the first that the rule allows.");
  }
  return proven("round", `Round ${round} follows from the rule; it was due ${timeOf(chain, round) - closeMs} ms later.`);
}

/** The answer to the chosen round: the beacon's own value, or none in time. */
export function beaconPoint({ chosen, answer }: Story, chain: Chain): Point {
  if (chosen === null || answer === null) return notChecked("beacon", "The match ended before an answer came.");
  const { body, timeMs } = answer;
  if (body.round !== chosen.body.round || body.round === 0n) return failed("beacon", "The answer is for another round than was chosen.");
  const due = timeOf(chain, body.round);
  if (body.kind === "fallback") {
    if (timeMs < due + PATIENCE) return failed("beacon", "The fallback stands before the beacon's time was over.");
    return notProtected("beacon", "No valid beacon came in time: seeds alone made the packs.");
  }
  if (timeMs < due) return failed("beacon", "The beacon stands before its round was due.");
  if (!same(valueOf(body.signature), body.value)) return failed("beacon", "The value does not follow from the signature.");
  if (!verifyBeacon(chain.publicKey, body.round, body.signature)) {
    return failed("beacon", "The signature is not that of the chain for this round.");
  }
  return proven("beacon", "The BLS signature is that of the round, and the value follows from it.");
}
