#!/usr/bin/env node
// By hand: node libs/scripted-model/src/bin.ts script.json [port]
// The file holds a list of steps, or { "steps": […], "repeatLast": true, "side": false }. One line per request on stdout.
import { readFileSync } from "node:fs";
import type { RecordedRequest } from "./request.ts";
import type { ScriptStep } from "./script.ts";
import { startScriptedModel } from "./server.ts";

const [file, port] = process.argv.slice(2);
if (file === undefined) {
  console.error("usage: bin.ts SCRIPT.json [PORT]");
  process.exit(2);
}
const read = JSON.parse(readFileSync(file, "utf8")) as
  | ScriptStep[]
  | { steps: ScriptStep[]; repeatLast?: boolean; side?: boolean };
const script = Array.isArray(read) ? { steps: read } : read;
const model = await startScriptedModel({
  steps: script.steps,
  repeatLast: script.repeatLast ?? false,
  port: Number(port ?? 0),
  ...(script.side === false ? { isSide: () => false } : {}),
});
console.log(model.url);

let shown = 0;
void model.until((requests) => {
  for (; shown < requests.length; shown++) console.log(JSON.stringify(summary(requests[shown])));
  return false;
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void model.close());

function summary(request: RecordedRequest | undefined) {
  if (request === undefined) return {};
  const { body, tools, ...rest } = request;
  return { ...rest, tools: tools.map((tool) => tool.name), ...(process.env.BODIES === "1" ? { body } : {}) };
}
