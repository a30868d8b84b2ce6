import { parseArgs } from "node:util";
import { isAtRest } from "@anneal/core";
import type { LoopState, SignalName } from "@anneal/types";
import type { Command } from "../command.ts";
import { onlyId } from "../project/one-item.ts";
import { LEADS_TO, standsAt } from "../project/words.ts";
import { harmlessLine } from "../style.ts";
import { saying } from "./saying.ts";

/** The command of one signal: `anneal approve ID` and its kin. */
export function signalCommand(signal: SignalName): Command {
  return {
    help: `anneal ${signal}: ${LEADS_TO[signal]}

  anneal ${signal} ID
  anneal ${signal} ID --note "what the next agent should know"
  anneal ${signal} ID --json      the answer as data: item, loop, result (taken, queued, refused), stage, reason

The process that runs the loops takes it; if none runs, it takes effect at once. anneal show ID lists what is possible.
Exit code: 0 taken or queued, 1 not possible now (nothing changed), 2 usage.
`,
    async run(args) {
      const { values, positionals } = parseArgs({
        args,
        allowPositionals: true,
        options: { note: { type: "string" }, json: { type: "boolean", default: false } },
      });
      const { note, json } = values;
      const id = onlyId(positionals, signal);
      const said = { signal, ...(note === undefined ? {} : { note }) };
      const text = (item: string, state: LoopState, by: "owner" | "us") => {
        const active = !isAtRest(state.stage);
        const next = active && by === "us" ? `; continue it with anneal run ${item}` : "";
        return `${signal}: ${harmlessLine(standsAt(state))}${next}`;
      };
      return await saying(id, said, signal, text, json ? "json" : "text");
    },
  };
}
