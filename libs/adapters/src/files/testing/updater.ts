// Sets the keys {prefix}0 … {prefix}{count-1} of a JSON file, one update each, after a line on stdin.
import { once } from "node:events";
import { updateJson } from "../json-file.ts";
import { anyObject } from "./any-object.ts";

const [path = "", prefix = "", count = "1", filler = ""] = process.argv.slice(2);
console.log("ready");
await once(process.stdin, "data");
process.stdin.destroy();
for (let index = 0; index < Number(count); index++) {
  const value = filler === "" ? index : "x".repeat(Number(filler));
  await updateJson(path, anyObject, (current) => ({ ...current, [`${prefix}${index}`]: value }));
}
console.log("done");
