/** Checks a match's proof file offline, point by point. Pure: octets in, a report out; no clock, no network. */

import { DEVELOPMENT, beaconPoint, chainPoint, commitmentPoint, openedPoint, roundPoint, seedsPoint } from "./deal_points.js";
import type { Chain } from "./drand.js";
import { type Evidence, type Proof, readEvidence, readProof } from "./files.js";
import { holds, keyIdOf, ringOf } from "./keys.js";
import { Malformed } from "./octets.js";
import { handsPoint, listedPoint, packsPoint, playLogPoint, restPoints, rulesetPoint } from "./play_points.js";
import { type Point, type Report, failed, notChecked, proven, reportOf } from "./report.js";
import { storyOf } from "./story.js";
import { type Event, brokenChain, brokenOrder, readEvent } from "./transcript.js";
import { witnessPoints } from "./witness.js";

export { jsonOf, textOfReport } from "./report.js";
export type { Point, Report, Verdict } from "./report.js";

export interface Options {
  /** The octets of an evidence file. */
  readonly evidence?: Uint8Array;
  /** Takes the chain of a development beacon, which proves nothing about chance. */
  readonly acceptDevelopment?: boolean;
}

const DEVELOPMENT_LABEL = "DEVELOPMENT CHAIN, proves nothing about chance";

/** The report on a proof file's octets. Never throws on what a file holds. */
export function verify(file: Uint8Array, options: Options = {}): Report {
  const proof = tried(() => readProof(file));
  if (typeof proof === "string") return reportOf("unknown", "", [failed("format", proof)]);
  const evidence = options.evidence === undefined ? null : tried(() => readEvidence(options.evidence ?? new Uint8Array()));
  if (typeof evidence === "string") return reportOf(proof.matchId, "", [failed("evidence", evidence)]);
  const { points, events } = transcriptPoints(proof);
  const rest = events === null
    ? [notChecked("deal", "Nothing further was checked, because the transcript does not hold.")]
    : matchPoints(proof, events, evidence, options.acceptDevelopment ?? false);
  return reportOf(proof.matchId, labelOf(proof.chain), [...points, ...rest]);
}

function labelOf(chain: Chain): string {
  return chain.beaconId === DEVELOPMENT ? DEVELOPMENT_LABEL : "";
}

function tried<T extends object>(read: () => T): T | string {
  try {
    return read();
  } catch (error) {
    if (error instanceof Malformed) return `${error.message}.`;
    throw error;
  }
}

/** The points of the transcript up to the first that fails; events only when all hold. */
function transcriptPoints(proof: Proof): { readonly points: readonly Point[]; readonly events: readonly Event[] | null } {
  const events: Event[] = [];
  for (const [at, { octets }] of proof.events.entries()) {
    const event = tried(() => readEvent(octets));
    if (typeof event === "string") return { points: [failed("format", `Event ${at}: ${event}`)], events: null };
    events.push(event);
  }
  const unknown = events.filter(({ body }) => body.kind === "unknown").length;
  const points = [proven("format", `${events.length} events in canonical octets.`)];
  const steps = [
    { name: "chain", wrong: brokenChain(events, proof.matchId), right: "Every event names the hash of the one before it." },
    { name: "order", wrong: brokenOrder(events), right: "The events come in the order of a match." },
    { name: "signatures", wrong: brokenSignatures(proof), right: "Every event is signed by the dealer." },
  ];
  for (const { name, wrong, right } of steps) {
    if (wrong !== null) return { points: [...points, failed(name, wrong)], events: null };
    points.push(name === "order" && unknown > 0 ? notChecked(name, laterKinds(unknown)) : proven(name, right));
  }
  return { points, events };
}

function laterKinds(count: number): string {
  return `${count} events are of kinds that are not known here; the others come in the order of a match.`;
}

/** Keys that signed nothing fail; whether the others are the dealer's, the file cannot say. */
function keysPoint({ events, publicKeys }: Proof): Point {
  const ids = publicKeys.map(keyIdOf);
  const used = new Set(events.map(({ keyId }) => keyId));
  return new Set(ids).size !== ids.length || ids.some((id) => !used.has(id))
    ? failed("keys", "The file holds keys that signed nothing in it.")
    : notChecked("keys", "The keys are those of the file; compare them with the dealer's published ones.");
}

function brokenSignatures({ events, publicKeys }: Proof): string | null {
  const ring = ringOf(publicKeys);
  const at = events.findIndex((signed) => !holds(signed, ring));
  return at < 0 ? null : `Event ${at} is not signed with a key of the file.`;
}

function matchPoints(
  proof: Proof, events: readonly Event[], evidence: Evidence | null, acceptDevelopment: boolean,
): readonly Point[] {
  const { chain, publicKeys } = proof;
  const story = storyOf(proof.matchId, events);
  const log = playLogPoint(story, proof.playLog);
  const packs = packsPoint(story);
  const ruleset = rulesetPoint(story);
  const witness = evidence === null
    ? [notChecked("witness", "No client's evidence was given.")]
    : witnessPoints({ story, chain, packs: packs.value, publicKeys, evidence });
  return [
    keysPoint(proof),
    openedPoint(story), chainPoint(story, chain, acceptDevelopment), commitmentPoint(story), seedsPoint(story),
    roundPoint(story, chain), beaconPoint(story, chain), log.point, packs.point, ruleset.point,
    handsPoint(story, log.value, packs.value, ruleset.value), ...restPoints(), ...witness, listedPoint(),
  ];
}
