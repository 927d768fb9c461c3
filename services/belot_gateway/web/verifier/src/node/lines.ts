/** For tests: requests as lines of JSON on standard input, an answer on a line for each (`verify.mjs --lines`). */

import { readFileSync } from "node:fs";
import { QUICKNET_HASH, chainHashOf, roundAfter, timeOf, valueOf, verifyBeacon } from "../drand.js";
import { hexOf, octetsOf } from "../octets.js";
import { commitmentOf, packOf } from "../recipe.js";
import { verify } from "../verify.js";

/** Numbers that may be large are decimal strings, octets hexadecimal; files are base64. */
type Request =
  | { readonly ask: "verify"; readonly file: string; readonly evidence?: string; readonly accept_dev?: boolean }
  | {
      readonly ask: "pack"; readonly server_seed: string; readonly seeds: readonly string[]; readonly round: string;
      readonly value: string; readonly hand: number; readonly size: number;
    }
  | { readonly ask: "beacon"; readonly public_key: string; readonly round: string; readonly signature: string }
  | {
      readonly ask: "round"; readonly beacon_id: string; readonly genesis: string; readonly group_hash: string;
      readonly period: number; readonly public_key: string; readonly close_ms: string; readonly highest: string;
    };

type Answers = { readonly [A in Request["ask"]]: (request: Extract<Request, { ask: A }>) => object };

const ANSWERS: Answers = {
  verify: ({ file, evidence, accept_dev }) => {
    const kept = evidence === undefined ? {} : { evidence: Buffer.from(evidence, "base64") };
    const report = verify(Buffer.from(file, "base64"), { ...kept, acceptDevelopment: accept_dev ?? false });
    return { ok: report.ok, points: report.points };
  },
  pack: ({ server_seed, seeds, round, value, hand, size }) => {
    const serverSeed = octetsOf(server_seed);
    const inputs = { serverSeed, seeds: seeds.map(octetsOf), round: BigInt(round), value: octetsOf(value) };
    return { pack: packOf(inputs, hand, size), commitment: hexOf(commitmentOf(serverSeed)) };
  },
  beacon: ({ public_key, round, signature }) => {
    const octets = octetsOf(signature);
    return { valid: verifyBeacon(octetsOf(public_key), BigInt(round), octets), value: hexOf(valueOf(octets)) };
  },
  round: (request) => {
    const parameters = {
      beaconId: request.beacon_id, genesis: BigInt(request.genesis), groupHash: octetsOf(request.group_hash),
      period: request.period, publicKey: octetsOf(request.public_key),
    };
    const chain = { ...parameters, chainHash: chainHashOf(parameters) };
    const round = roundAfter(chain, BigInt(request.close_ms), BigInt(request.highest));
    const quicknet = hexOf(chain.chainHash) === hexOf(QUICKNET_HASH);
    return { round: String(round), time_ms: String(timeOf(chain, round)), quicknet };
  },
};

function answer(line: string): object {
  const request = JSON.parse(line) as Request;
  try {
    return (ANSWERS[request.ask] as (request: Request) => object)(request);
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** Answers every line and gives the exit status. */
export function answerLines(): number {
  const lines = readFileSync(0, "utf8").split("\n").filter((line) => line !== "");
  process.stdout.write(lines.map((line) => `${JSON.stringify(answer(line))}\n`).join(""));
  return 0;
}
