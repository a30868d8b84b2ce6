// `npm start`: installs, builds and runs the guided demo. Works on the system's Node 20.
import { install, node, tool } from "./bootstrap.mjs";

const args = process.argv.slice(2);
if (args.includes("--help") || args.includes("-h")) {
  console.log(`npm start                 install, build, and run the guided demo
npm start -- --keep       leave the demo's git project on disk, to look around in it
npm start -- --help       this text

The demo makes a small git project in a temporary folder with a feature branch that holds real flaws, and runs the
whole loop on it with the embedded reviewer and fixer: review, fix, commit, review again, until the branch has earned
its way out. It needs no key and no network after the install.

Then try it on a repository of your own, from this folder:
  npx anneal -C PATH/TO/REPO review   judge its current branch
  npx anneal review --help            the staged changes, the working tree, policies, formats
  npx anneal policies                 the five ways to decide
  npx anneal doctor                   what is installed and what is missing`);
  process.exit(0);
}

install();
tool("tsc", ["-b", "apps/cli"], "The build failed.");
node(["apps/cli/bin/anneal.js", "demo", ...args]);
