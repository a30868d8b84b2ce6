// `npm run bench`: ratios against a named baseline in the same run. On Linux; reads CPU time from /proc.
import { install, node } from "./bootstrap.mjs";

install();
node(["scripts/bundle.mjs"]);
node(["bench/run.ts", ...process.argv.slice(2)]);
