// Tries to own a project on request, and says whether it does.
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { becomeOwner, type Owner } from "../owner.ts";

const [root = ""] = process.argv.slice(2);
let owner: Owner | null = null;
writeSync(1, "ready\n");
for await (const line of createInterface({ input: process.stdin })) {
  if (line === "try") {
    owner = becomeOwner({ gitDir: root });
    writeSync(1, owner === null ? "lost\n" : "won\n");
  }
  if (line === "release") {
    owner?.release();
    writeSync(1, "released\n");
  }
}
