import { parseArgs } from "node:util";
import { isAtRest } from "@anneal/core";
import { UsageError } from "@anneal/engine";
import type { PersonsRuling } from "@anneal/engine/project";
import type { Command } from "../command.ts";
import { standsAt } from "../project/words.ts";
import { saying } from "../signal/saying.ts";
import { harmlessLine } from "../style.ts";

const RULINGS = {
  dismiss: { disposition: "dismissed", about: "a finding is wrong or does not matter; it no longer blocks" },
  "accept-risk": {
    disposition: "accepted-risk",
    about: "a finding is right, but you accept the risk; it no longer blocks",
  },
  defer: { disposition: "deferred", about: "a finding is for later; it no longer blocks" },
  reopen: { disposition: "open", about: "a finding with a ruling counts again" },
} as const satisfies Record<string, { disposition: PersonsRuling; about: string }>;

export type RulingName = keyof typeof RULINGS;

const SHORTEST = 4;

/** The command of one ruling: `anneal dismiss ID FINGERPRINT --reason TEXT` and its kin. */
export function rulingCommand(name: RulingName): Command {
  const { disposition, about } = RULINGS[name];
  return {
    help: `anneal ${name}: ${about}

  anneal ${name} ID FINGERPRINT --reason "why"
  anneal ${name} ID FINGERPRINT --reason "why" --json      the answer as data: item, loop, result, stage, reason

anneal show ID lists the findings with their fingerprints; the first letters are enough. Who said it and why is kept in the log
and in the certificate.
Exit code: 0 taken or queued, 1 not possible now (nothing changed), 2 usage.
`,
    async run(args) {
      const { values, positionals } = parseArgs({
        args,
        allowPositionals: true,
        options: { reason: { type: "string" }, json: { type: "boolean", default: false } },
      });
      const [id, finding, ...more] = positionals;
      const usage = `anneal ${name} ID FINGERPRINT --reason "why"`;
      if (id === undefined || finding === undefined || more.length > 0)
        throw new UsageError(`an ID and a FINGERPRINT are required: ${usage}`);
      const reason = values.reason?.trim() ?? "";
      if (reason === "") throw new UsageError(`a ruling needs a reason: ${usage}`);
      return await saying(
        id,
        (findings) => ({
          fingerprint: meant(
            findings.map((one) => one.fingerprint),
            finding,
          ),
          disposition,
          reason,
        }),
        name,
        (item, state, by) => {
          const entry = state.findings.find((one) => one.fingerprint.startsWith(finding));
          const next = by === "us" && !isAtRest(state.stage) ? `; continue it with anneal run ${item}` : "";
          const stands = harmlessLine(standsAt(state));
          return `${disposition}: ${harmlessLine(entry?.finding.title ?? finding)}\n${stands}${next}`;
        },
        values.json ? "json" : "text",
      );
    },
  };
}

function meant(fingerprints: readonly string[], name: string): string {
  const near = name.length < SHORTEST ? [] : fingerprints.filter((one) => one.startsWith(name));
  const [only, ...more] = near;
  if (only === undefined) throw new UsageError(`no finding ${name}; list them with anneal show`);
  if (more.length > 0) throw new UsageError(`${name} is ambiguous: it matches ${counted(near)}; use more characters`);
  return only;
}

function counted(names: readonly string[]): string {
  return names.map((name) => name.slice(0, 12)).join(", ");
}
