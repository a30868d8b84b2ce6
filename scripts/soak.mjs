// `npm run test:soak`: random kills under load, many more than `npm test` has time for.
// ANNEAL_KILLS and ANNEAL_SEED say how many and which; a failure names the seed that repeats it.
import { install, tool } from "./bootstrap.mjs";

process.env.ANNEAL_KILLS ??= "200";
process.env.ANNEAL_SEED ??= String(Math.floor(Math.random() * 1_000_000));
const { ANNEAL_KILLS, ANNEAL_SEED } = process.env;
install();
console.log(`ANNEAL_SEED=${ANNEAL_SEED} ANNEAL_KILLS=${ANNEAL_KILLS}`);
tool("vitest", ["run", "--project", "faults", "libs/engine/src/faults/random-kills.test.ts"]);
