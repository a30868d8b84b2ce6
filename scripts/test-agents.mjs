// `npm run test:agents [-- --all] [-- FILTER…]`: the real agents against a model on loopback. `--all` adds the slow ones.
import { installAgents } from "./agents.mjs";
import { install, tool } from "./bootstrap.mjs";
import { wantBubblewrap } from "./bubblewrap.mjs";

const all = process.argv.includes("--all");
if (all) process.env.ANNEAL_ALL_AGENTS = "1";
install();
installAgents({ all });
wantBubblewrap();
tool("vitest", ["run", "--project", "agents", ...process.argv.slice(2).filter((argument) => argument !== "--all")]);
