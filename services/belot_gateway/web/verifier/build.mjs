/** Bundles the verifier into one file that needs nothing but Node: `node build.mjs FOLDER`. */

import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("usage: node build.mjs FOLDER");

/** SHA-256 over what the bundle is made of, so that a stale one is seen without building: name, LF, content of each. */
function sourceHash(root) {
  const names = readdirSync(join(root, "src"), { recursive: true }).filter((name) => name.endsWith(".ts")).sort();
  const hash = createHash("sha256");
  for (const name of [...names.map((name) => `src/${name}`), "package-lock.json"]) {
    hash.update(`${name}\n`).update(readFileSync(join(root, name)));
  }
  return hash.digest("hex");
}

await build({
  absWorkingDir: import.meta.dirname,
  banner: { js: `// Built by build.mjs from sources ${sourceHash(import.meta.dirname)}.` },
  entryPoints: { verify: "src/node/main.ts" },
  outdir: folder,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  charset: "ascii",
  legalComments: "inline",
  minifySyntax: true,
  minifyWhitespace: false,
});
