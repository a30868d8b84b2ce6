import { node, tool } from "./bootstrap.mjs";

/** Format, lint and direction; types and build; unused code; every proof that docs/seeds.md names; one name for each exported type; folders; paths in the docs. */
export function staticChecks() {
  tool("biome", ["ci", "--error-on-warnings"], "Run `npm run format` for what can be fixed by itself.");
  tool("tsc", ["-b", "apps/cli"]);
  tool("tsc", ["--noEmit", "-p", "tsconfig.json"]);
  tool("tsc", ["-p", "apps/ui"]);
  tool("knip", []);
  node(["scripts/check-seeds.ts"]);
  node(["scripts/check-names.ts"]);
  node(["scripts/check-folders.ts"]);
  node(["scripts/check-docs.ts"]);
}
