#!/usr/bin/env node
import module from "node:module";

const [major] = process.versions.node.split(".").map(Number);
if (major < 24) {
  console.error(
    `anneal needs Node 24 or newer; this is Node ${process.versions.node}. In this repository, run it with npx anneal.`,
  );
  process.exit(2);
}
// Compiled code is kept between runs: a review of a small change should not wait for the parser.
module.enableCompileCache?.();
if (process.env.ANNEAL_DEBUG) process.setSourceMapsEnabled(true);

const { main } = await import("../bundle/main.js").catch((error) => {
  if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
  console.error(process.env.ANNEAL_DEBUG ? error : "anneal is not built yet: run npm run build in its repository.");
  process.exit(2);
});
process.exitCode = await main(process.argv.slice(2));
