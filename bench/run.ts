// Speed and memory as ratios to a baseline of the same run. `--quick` measures less often.
import { largeDiff } from "./large-diff.ts";
import { scratch } from "./scratch.ts";
import { startUp } from "./startup.ts";
import { table, withinLimit } from "./table.ts";

const quick = process.argv.includes("--quick");
using temp = scratch();

const small = startUp(temp.dir, quick ? 10 : 30);
process.stdout.write(`CPU of the compiled CLI, git included\n\n${table(small)}\n\n`);

const { title, measures: large } = largeDiff(temp.dir, quick ? 2 : 6);
process.stdout.write(`A large diff: ${title}\n\n${table(large)}\n`);

if (![...small, ...large].every(withinLimit)) process.exitCode = 1;
