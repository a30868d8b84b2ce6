// `npm run test:live [-- --yes] [-- NAME…]`: one review and one fix per agent, with its real model and your own key.
import { install, node } from "./bootstrap.mjs";

const arguments_ = process.argv.slice(2);
const isWanted = arguments_.includes("--yes") || process.env.ANNEAL_LIVE === "1";

console.log(`This asks REAL models, with the keys and logins of your environment, and COSTS MONEY or uses up your plan:
one short review and one short fix per agent, usually some cents each. Nothing limits what a provider charges.
The work happens in a repository in a temporary folder; your own files are not touched.`);

if (!isWanted) {
  console.error("\nNothing was asked. To go on, set ANNEAL_LIVE=1 or add --yes: npm run test:live -- --yes");
  process.exit(2);
}
install();
const names = arguments_.filter((argument) => argument !== "--yes");
node(["scripts/live-run.ts", ...names]);
