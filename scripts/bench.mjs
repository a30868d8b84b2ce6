// `npm run bench`: ratios against a named baseline in the same run. On Linux; reads CPU time from /proc.
import { install, node, tool } from "./bootstrap.mjs";

install();
tool("tsc", ["-b", "apps/cli"]);
node(["--conditions=source", "bench/run.ts", ...process.argv.slice(2)]);
