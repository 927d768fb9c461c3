/** Bundles the verifier into one file that needs nothing but Node: `node build.mjs FOLDER`. */

import { build } from "esbuild";

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("usage: node build.mjs FOLDER");

await build({
  absWorkingDir: import.meta.dirname,
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
