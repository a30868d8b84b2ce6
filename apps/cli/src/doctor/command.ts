import { parseArgs } from "node:util";
import { type Diagnosis, diagnose } from "@anneal/engine/doctor";
import { painter } from "../style.ts";

const help = `anneal doctor: what is installed, what is missing and how to get it

  anneal doctor           a list for people
  anneal doctor --json    the same as data

Exit code: 0 when everything that is required is there, 2 when something required is missing.
`;

const MARK = { ok: "✔", missing: "✘", optional: "·" } as const;
const LOOK = { ok: "green", missing: "red", optional: "dim" } as const;

async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { json: { type: "boolean", default: false } } });
  const diagnoses = await diagnose();
  process.stdout.write(values.json ? `${JSON.stringify(diagnoses, null, 2)}\n` : text(diagnoses));
  return diagnoses.some((diagnosis) => diagnosis.state === "missing") ? 2 : 0;
}

function text(diagnoses: Diagnosis[]): string {
  const paint = painter(process.stdout);
  const width = Math.max(...diagnoses.map(({ name }) => name.length));
  const lines = diagnoses.map(({ name, state, detail, advice }) => {
    const head = `${paint(LOOK[state], MARK[state])} ${name.padEnd(width)}  ${detail}`;
    return advice === undefined ? head : `${head}\n  ${" ".repeat(width)}  ${paint("dim", advice)}`;
  });
  return `${lines.join("\n")}\n`;
}

export const command = { help, run };
