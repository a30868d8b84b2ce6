import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAutomationToken } from "@anneal/engine/people";
import { Right } from "@anneal/types";

export const TOKENS_FILE = "automation-tokens.json";

/** A token such as a person makes at a terminal, which may say everything: nobody sits there when the suites run. */
const made = await make();

/** The data folder of somebody who made that token, and the variable by which a program has it. */
export function withAutomationToken(dataDir: string): NodeJS.ProcessEnv {
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(join(dataDir, TOKENS_FILE), made.file);
  return { DATA_DIR: dataDir, ANNEAL_TOKEN: made.text };
}

async function make(): Promise<{ text: string; file: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), "anneal-tokens-"));
  try {
    const at = Date.now();
    const token = { name: "ada", rights: Right.options, until: at + 24 * 3_600_000, by: "ada", at };
    const text = await createAutomationToken(token, dataDir);
    return { text, file: readFileSync(join(dataDir, TOKENS_FILE), "utf8") };
  } finally {
    rmSync(dataDir, { recursive: true });
  }
}
