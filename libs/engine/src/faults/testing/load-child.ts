// Runs features of a project through `run()` on a clock that stands still, for tests that kill it on the way.
import { run } from "../../project.ts";
import { runArgs, sayResult } from "./child-run.ts";

const [root = "", ...only] = process.argv.slice(2);
sayResult(await run({ ...runArgs(root), limit: 3, ...(only.length === 0 ? {} : { only }) }));
