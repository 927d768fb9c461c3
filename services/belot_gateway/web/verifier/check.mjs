/** Builds again and compares with the committed bundle: exit 1 when they differ. */

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const here = import.meta.dirname;
const folder = mkdtempSync(join(tmpdir(), "verifier-"));
try {
  execFileSync(process.execPath, [join(here, "build.mjs"), folder]);
  const [built, committed] = [folder, join(here, "dist")].map((at) => readFileSync(join(at, "verify.mjs")));
  if (!built.equals(committed)) {
    console.error("dist/verify.mjs is not what the sources build: run `npm run build` and commit it");
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true });
}
