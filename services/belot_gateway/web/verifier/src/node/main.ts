/** The command line: `verify.mjs FILE [--evidence FILE] [--accept-dev] [--json]`. */

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { jsonOf, textOfReport, verify } from "../verify.js";
import { answerLines } from "./lines.js";

const USAGE = `Usage: verify.mjs FILE [--evidence FILE] [--accept-dev] [--json]

  Check a match's proof FILE offline. Plays, score and bots are not checked here.

  --evidence FILE  What one player's client kept of the match.
  --accept-dev     Take the chain of a development beacon, which proves no chance.
  --json           The report as JSON.

  Exit status 0: nothing failed; 1: something failed; 2: the file cannot be read.`;

/** Runs one verification and gives the exit status. */
function run(): number {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      evidence: { type: "string" },
      "accept-dev": { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
      lines: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  if (values.lines) return answerLines();
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new Error("exactly one FILE is needed");
  const kept = values.evidence === undefined ? {} : { evidence: readFileSync(values.evidence) };
  const report = verify(readFileSync(file), { ...kept, acceptDevelopment: values["accept-dev"] });
  console.log(values.json ? jsonOf(report) : textOfReport(report));
  return report.ok ? 0 : 1;
}

try {
  process.exitCode = run();
} catch (error) {
  console.error(`verify: ${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  process.exitCode = 2;
}
