/** The two files: the proof of a match, and the evidence that one client kept. */

import { type Chain, SCHEME, chainHashOf, isBeaconKey } from "./drand.js";
import { Fields, type Json, readDocument } from "./json.js";
import { type Signed, keyIdOf } from "./keys.js";
import { Malformed, U32_MAX, isMatchId, same } from "./octets.js";

export interface Proof {
  readonly matchId: string;
  readonly chain: Chain;
  readonly publicKeys: readonly Uint8Array[];
  readonly events: readonly Signed[];
  readonly playLog: Uint8Array;
}

export interface Evidence {
  readonly matchId: string;
  readonly seat: number;
  readonly commitment: { readonly octets: Uint8Array; readonly learntMs: bigint } | null;
  /** Empty when the client sent none. */
  readonly seed: Uint8Array;
  readonly seedReceipt: Signed | null;
  readonly round: { readonly round: bigint; readonly learntMs: bigint } | null;
  readonly beacon: { readonly round: bigint; readonly signature: Uint8Array; readonly learntMs: bigint } | null;
  readonly beaconReceipt: Signed | null;
  readonly handReceipts: readonly Signed[];
  readonly publicKeys: readonly Uint8Array[];
}

const SIGNED = ["key_id", "octets", "signature"];
const CHAIN = ["beacon_id", "chain_hash", "genesis", "group_hash", "period", "public_key", "scheme"];
const PROOF = ["chain", "events", "format", "match_id", "play_log", "public_keys", "score", "version"];
const EVIDENCE = [
  "beacon", "beacon_receipt", "commitment", "format", "hand_receipts", "match_id", "public_keys", "round", "seat",
  "seed", "seed_receipt", "version",
];
const BEACON_ID = /^[A-Za-z0-9._:/+-]{0,64}$/;
const MOST_TOTAL = 2 ** 31;
/** No file, list or record is larger, so that a hostile one costs little. */
const MOST = {
  proof: 16 * 2 ** 20, evidence: 4 * 2 ** 20, events: 20_000, event: 2 ** 17, log: 4 * 2 ** 20,
  keys: 64, receipts: 10_000, receipt: 2 ** 12, totals: 4,
};

/** The proof of a file's octets. */
export function readProof(octets: Uint8Array): Proof {
  const fields = new Fields(readDocument(octets, MOST.proof), "Proof", PROOF);
  readHead(fields, "belot.club/proof");
  readScore(new Fields(fields.value("score"), "Proof.score", ["outcome", "totals"]));
  return {
    matchId: readMatchId(fields),
    chain: readChain(new Fields(fields.value("chain"), "Proof.chain", CHAIN)),
    publicKeys: fields.list("public_keys", MOST.keys).map(readNamedKey),
    events: fields.list("events", MOST.events).map((event) => readSigned(new Fields(event, "Proof.events", SIGNED), MOST.event)),
    playLog: fields.octetsUpTo("play_log", MOST.log),
  };
}

/** The evidence of a file's octets. */
export function readEvidence(octets: Uint8Array): Evidence {
  const fields = new Fields(readDocument(octets, MOST.evidence), "Evidence", EVIDENCE);
  readHead(fields, "belot.club/evidence");
  const seat = fields.whole("seat");
  if (seat < 0 || seat > 3) throw new Malformed("Evidence.seat is not a seat");
  return {
    matchId: readMatchId(fields),
    seat,
    commitment: fields.optional("commitment", ["learnt_ms", "octets"], (learnt) => ({
      octets: learnt.octets("octets", 32),
      learntMs: learnt.decimal("learnt_ms"),
    })),
    seed: fields.octetsUpTo("seed", 16),
    seedReceipt: fields.optional("seed_receipt", SIGNED, readReceipt),
    round: fields.optional("round", ["learnt_ms", "round"], (learnt) => ({
      round: learnt.decimal("round"),
      learntMs: learnt.decimal("learnt_ms"),
    })),
    beacon: fields.optional("beacon", ["learnt_ms", "round", "signature"], (learnt) => ({
      round: learnt.decimal("round"),
      signature: learnt.octets("signature", 48),
      learntMs: learnt.decimal("learnt_ms"),
    })),
    beaconReceipt: fields.optional("beacon_receipt", SIGNED, readReceipt),
    handReceipts: fields
      .list("hand_receipts", MOST.receipts)
      .map((item) => readReceipt(new Fields(item, "Evidence.hand_receipts", SIGNED))),
    publicKeys: fields.list("public_keys", MOST.keys).map((key) => readKey(new Fields(key, "Evidence.public_keys", ["octets"]))),
  };
}

function readHead(fields: Fields, format: string): void {
  if (fields.text("format") !== format) throw new Malformed(`the format is not ${format}`);
  if (fields.whole("version") !== 1) throw new Malformed("the version is not known here");
}

function readMatchId(fields: Fields): string {
  const matchId = fields.text("match_id");
  if (!isMatchId(matchId)) throw new Malformed("the match id is malformed");
  return matchId;
}

function readScore(fields: Fields): void {
  fields.text("outcome");
  const isTotal = (total: Json) => typeof total === "number" && Number.isInteger(total) && Math.abs(total) <= MOST_TOTAL;
  if (!fields.list("totals", MOST.totals).every(isTotal)) throw new Malformed("Proof.score.totals are not totals");
}

function readChain(fields: Fields): Chain {
  if (fields.text("scheme") !== SCHEME) throw new Malformed(`only the scheme ${SCHEME} is known`);
  const chain: Chain = {
    beaconId: fields.text("beacon_id"),
    chainHash: fields.octets("chain_hash", 32),
    genesis: fields.decimal("genesis"),
    groupHash: fields.octets("group_hash", 32),
    period: fields.whole("period"),
    publicKey: fields.octets("public_key", 96),
  };
  if (chain.period < 1 || chain.period > U32_MAX) throw new Malformed("the period of the chain is out of range");
  if (!BEACON_ID.test(chain.beaconId)) throw new Malformed("the beacon id is malformed");
  if (!same(chainHashOf(chain), chain.chainHash)) throw new Malformed("the parameters of the chain do not give its hash");
  if (!isBeaconKey(chain.publicKey)) throw new Malformed("the public key of the chain is not a point of its group");
  return chain;
}

function readSigned(fields: Fields, most: number): Signed {
  const keyId = fields.text("key_id", 16);
  return { keyId, octets: fields.octetsUpTo("octets", most), signature: fields.octets("signature", 64) };
}

function readReceipt(fields: Fields): Signed {
  return readSigned(fields, MOST.receipt);
}

function readKey(fields: Fields): Uint8Array {
  return fields.octets("octets", 32);
}

function readNamedKey(value: Json): Uint8Array {
  const fields = new Fields(value, "Proof.public_keys", ["key_id", "octets"]);
  const key = readKey(fields);
  if (fields.text("key_id") !== keyIdOf(key)) throw new Malformed("a public key bears the id of another");
  return key;
}
