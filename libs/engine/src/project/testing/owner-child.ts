// Owns a project and runs one item of it as the settings say, for tests whose agents kill it.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "@anneal/system/clock";
import { Runtime } from "../runtime.ts";

const [root = "", key = ""] = process.argv.slice(2);
writeFileSync(join(root, ".automaker/pid"), String(process.pid));
const runtime = await Runtime.open({ root, clock: systemClock });
await runtime?.run(key);
await runtime?.close();
