import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { UsageError } from "@anneal/engine";
import { createFakeForge, type FakeForge, openFakeForge } from "@anneal/engine/pull-requests";
import { harmless, harmlessLine } from "../style.ts";

/** `anneal pr forge …`: a forge that exists only on this disk, and the people on it, played by whoever types. */
export async function forge([verb, ...args]: string[]): Promise<number> {
  const act = verb !== undefined && Object.hasOwn(ACTS, verb) ? ACTS[verb] : undefined;
  if (act === undefined)
    throw new UsageError(`anneal pr forge takes ${Object.keys(ACTS).join(", ")}; see anneal pr --help`);
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { as: { type: "string" }, file: { type: "string" }, line: { type: "string" } },
  });
  const [dir, ...words] = positionals;
  if (dir === undefined) throw new UsageError(`name the folder: anneal pr forge ${verb} DIR`);
  const said = await act(resolve(dir), words, values);
  process.stdout.write(`${harmless(said)}\n`);
  return 0;
}

interface Options {
  as?: string;
  file?: string;
  line?: string;
}

type Act = (dir: string, words: string[], options: Options) => Promise<string>;

const ACTS: Record<string, Act> = {
  init: async (dir) => {
    await createFakeForge(dir);
    return `A fake forge for trying things out: a bare repository and a JSON file on this disk.
  git remote add origin ${dir}
  git push origin main`;
  },
  say: async (dir, [number, text], { as, file, line }) => {
    const here = await openAs(dir, as);
    const place = file === undefined ? undefined : { file, line: positive(line ?? "1", "--line") };
    const said = needed(text, "the text of the comment: anneal pr forge say DIR NUMBER TEXT --as NAME");
    await here.person.comment(numbered(number), said, place);
    return `${here.name} commented on pull request ${number}.`;
  },
  review: async (dir, [number, verdict, body = ""], { as }) => {
    const state = VERDICTS[verdict ?? ""];
    if (state === undefined)
      throw new UsageError(`a verdict is ${Object.keys(VERDICTS).join(", ")}, not "${verdict ?? ""}"`);
    const here = await openAs(dir, as);
    await here.person.review(numbered(number), { state, body });
    return `${here.name} reviewed pull request ${number}: ${state}.`;
  },
  check: async (dir, [number, name, result]) => {
    if (result !== "success" && result !== "failure") {
      throw new UsageError(
        result === undefined
          ? "name the result of the check: success or failure"
          : `unknown result "${result}": use success or failure`,
      );
    }
    const here = await openFakeForge(dir);
    const pull = await here.get(numbered(number));
    await here.setCheck(pull.head.sha, { name: needed(name, "the name of the check"), conclusion: result });
    return `${name} ended as ${result} at ${pull.head.sha.slice(0, 12)}.`;
  },
  merge: async (dir, [number], { as }) => {
    const here = await openAs(dir, as);
    const merged = await here.person.merge(numbered(number));
    return `Pull request ${number}: ${merged.result}.`;
  },
  close: async (dir, [number], { as }) => {
    const here = await openAs(dir, as);
    await here.person.close(numbered(number));
    return `Pull request ${number} is closed.`;
  },
  show: async (dir) => await shown(await openFakeForge(dir)),
};

const VERDICTS: Record<string, "approved" | "changes_requested" | "commented"> = {
  approve: "approved",
  "request-changes": "changes_requested",
  comment: "commented",
};

/** Whoever is named may write there, as the people of a project do. */
async function openAs(dir: string, as: string | undefined) {
  const name = needed(as, "a name: --as NAME");
  const here = await openFakeForge(dir);
  if (name === (await here.me())) throw new UsageError(`${name} is Anneal's own account: use another name`);
  if ((await here.permission(name)) === "none") await here.setUser(name, "write");
  return { name, person: here.as(name) };
}

function onOneLine(body: string): string {
  return harmlessLine(body.trim().replace(/\s*\n\s*/gu, " "));
}

async function shown(here: FakeForge): Promise<string> {
  const lines: string[] = [];
  for (let number = 1; ; number += 1) {
    const pull = await here.get(number).catch(() => null);
    if (pull === null) break;
    const { title, state, draft, head, base } = pull;
    lines.push(`#${number} ${harmlessLine(title)}: ${state}${draft ? ", a draft" : ""}, ${head.branch} into ${base}`);
    for (const { author, body, file, line } of await here.comments(number)) {
      lines.push(`  ${author}${file === undefined ? "" : ` on ${file}:${line}`}: ${onOneLine(body)}`);
    }
    for (const { author, state: verdict, body } of await here.reviews(number)) {
      lines.push(`  ${author}: ${verdict}${body === "" ? "" : `: ${onOneLine(body)}`}`);
    }
    for (const { name, conclusion, status } of await here.checks(head.sha))
      lines.push(`  check ${name}: ${conclusion ?? status}`);
  }
  return lines.length === 0 ? "No pull request yet." : lines.join("\n");
}

function numbered(text: string | undefined): number {
  return positive(needed(text, "the number of the pull request"), "the number of a pull request");
}

function positive(text: string, what: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new UsageError(`${what} is a whole number from 1, not "${text}"`);
}

function needed(value: string | undefined, what: string): string {
  if (value !== undefined && value !== "") return value;
  throw new UsageError(`missing: ${what}`);
}
