// Appends two events and, after each, notes that the files tell of it.
import { openStore } from "../store.ts";
import { entry } from "./entries.ts";

const [root = ""] = process.argv.slice(2);
const store = openStore({ gitDir: root }, { clock: { now: () => 0 } });
for (const n of [1, 2]) for (const seq of store.append("a", [entry(n)])) store.markProjected("a", seq);
