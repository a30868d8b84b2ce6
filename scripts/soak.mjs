// `npm run test:soak`: random kills under load, many more than `npm test` has time for, and the kill matrix with a
// project of its own for every kill, at two passings of each effect.
// ANNEAL_KILLS and ANNEAL_SEED say how many and which; a failure names the command that repeats it.
import { install, tool } from "./bootstrap.mjs";
import { keepTempInMemory } from "./fast-temp.mjs";

process.env.ANNEAL_KILLS ??= "200";
process.env.ANNEAL_SEED ??= String(Math.floor(Math.random() * 1_000_000));
const { ANNEAL_KILLS, ANNEAL_SEED } = process.env;
install();
console.log(`ANNEAL_SEED=${ANNEAL_SEED} ANNEAL_KILLS=${ANNEAL_KILLS}`);
keepTempInMemory();
const suites = process.argv.length > 2 ? process.argv.slice(2) : ["random-kills", "kill-matrix"];
tool("vitest", ["run", "--project", "faults", ...suites]);
