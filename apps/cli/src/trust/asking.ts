import { createInterface } from "node:readline/promises";
import { UsageError } from "@anneal/engine";
import { agree, type ShownProgram, shownPrograms } from "@anneal/engine/consent";
import { projectAt } from "@anneal/engine/project";
import { isAsking } from "../project/ask.ts";
import { painter } from "../style.ts";
import { consenting } from "./consenting.ts";
import { programLines } from "./list.ts";

const INTRO = "This repository wants to run programs on your machine. None of them has run yet:";
const QUESTION = "Allow them to run, with exactly this content? [y/N] ";

/** Shows programs on the terminal and asks about all of them at once. */
export async function askAbout(programs: readonly ShownProgram[], question: string = QUESTION): Promise<boolean> {
  const paint = painter(process.stdout);
  process.stdout.write(`${INTRO}\n\n${programLines(programs, paint).join("\n")}\n\n`);
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const left = new AbortController();
  terminal.once("close", () => left.abort());
  terminal.once("SIGINT", () => terminal.close());
  try {
    return /^y(?:es)?$/i.test((await terminal.question(question, { signal: left.signal })).trim());
  } catch {
    // Whoever leaves the question open has not said yes.
    process.stdout.write("\n");
    return false;
  } finally {
    terminal.close();
  }
}

/** Before loops run: on a terminal, whoever sits there is asked once; elsewhere the loops say what they need. */
export async function consentFirst(cwd: string, json: boolean): Promise<void> {
  if (!isAsking(json)) return;
  const repo = await projectAt(cwd);
  const missing = (await shownPrograms(repo)).filter(({ standing }) => standing !== "agreed");
  if (missing.length === 0) return;
  if (!(await askAbout(missing)))
    throw new UsageError(
      "nothing was started, because these programs are not allowed; anneal trust shows them and asks again",
    );
  await agree(repo, missing, await consenting());
}
