import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { loadSettings } from "@anneal/adapters/files";
import { expect, onTestFinished, test, vi } from "vitest";
import { makeRepo } from "../../../git/src/testing/make-repo.ts";
import { statusOf } from "../project.ts";
import { decisionText } from "../review/testing/decision-text.ts";
import { BACKLOG, DAMAGED, DATA_FILES, IN_PROGRESS, PROJECT_FILES } from "./testing/automaker-files.ts";
import { expectGolden } from "./testing/golden-file.ts";
import { asked } from "./testing/listen.ts";
import { driven } from "./testing/sample-project.ts";

vi.mock(import("@anneal/adapters/scripted"), async (load) =>
  (await import("./testing/listen.ts")).listening(await load()),
);

/** What Anneal keeps for itself, in addition to Automaker's files. */
const OURS = [/^\.git\//, /^\.worktrees\//, /^\.automaker\/(anneal-files|analytics\/|plans\/)/];

/** Every file of a project that is not ours, in latin1, so that equal means equal to the byte. */
function theirFiles(root: string): Record<string, string> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const names = paths.map((path) => relative(root, path)).filter((name) => !OURS.some((own) => own.test(name)));
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(root, name), "latin1")]));
}

function automakerProject() {
  const repo = makeRepo({ "shelf.js": "export const shelf = [];\n" });
  const data = makeRepo(DATA_FILES);
  onTestFinished(() => {
    repo.remove();
    data.remove();
  });
  repo.write(PROJECT_FILES);
  vi.stubEnv("ANNEAL_DATA_DIR", "");
  vi.stubEnv("DATA_DIR", data.dir);
  vi.stubEnv("GIT_CONFIG_GLOBAL", "/dev/null");
  onTestFinished(() => void vi.unstubAllEnvs());
  const project = driven(repo);
  return { ...project, files: () => ({ ...theirFiles(repo.dir), ...prefixed("DATA_DIR/", theirFiles(data.dir)) }) };
}

function prefixed(prefix: string, files: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`${prefix}${name}`, text]));
}

const work = (role: string, path?: string) => ({
  role,
  answer: `Worked as ${role}.\n`,
  edits: path === undefined ? [] : [{ path, content: "export const sorted = true;\n" }],
});
const approved = {
  role: "reviewer",
  answer: decisionText("APPROVED", "None", "Does what was asked."),
};
const PLAN = { steps: [work("implementer", "sorted.js"), approved, work("implementer"), work("implementer")] };

/** A feature.json as it was before its three keys were written. */
function withoutOurKeys(text: string, status: RegExp, before: string): string {
  const without = text.replace(/,\s*"worktreePath": "[^"\n]*"/, "");
  return without.replace(/,\s*"codeReviewSpec": [\s\S]*?(?=\r?\n\}\s*$)/, "").replace(status, before);
}

test("an Automaker project opens and runs, and not a byte is lost but of the keys that the log owns", async () => {
  const { run, read, plan, files, troubles, repo } = automakerProject();
  const before = files();

  const opened = await read(statusOf);
  expect(opened.map(({ id, status, damaged }) => [id.slice(22), status ?? damaged?.slice(-28)])).toEqual([
    ["backlog00", "backlog"],
    ["progress0", "in_progress"],
    ["waiting00", "waiting_approval"],
    ["verified0", "verified"],
    ["completed", "completed"],
    ["instep000", "pipeline_step_docs"],
    ["inreview0", "code_review"],
    ["dependent", "backlog"],
    ["damaged00", "3:18: a string is not closed"],
  ]);
  expect((await loadSettings(repo.dir)).problems).toEqual([]);
  expect(files()).toEqual(before);

  const player = `scripted:${join(repo.dir, ".automaker/plans/{id}.json")}`;
  const cast = { implementer: player, reviewer: player, fixer: player };
  for (const id of [BACKLOG, IN_PROGRESS]) plan(id, PLAN);
  const { settled, broken } = await run([BACKLOG, IN_PROGRESS], { cast });
  expect([broken.size, troubles]).toEqual([0, []]);
  expect([...settled.values()].map(({ stage }) => stage)).toEqual(["ended", "ended"]);

  const reviews = asked.filter(({ role }) => role === "reviewer").map(({ prompt }) => prompt);
  const texts = ["Mind the shelf.", "Names are nouns.", "B\u00fccher nach Autor.", "A reader may take three."];
  expect(texts.map((text) => reviews.filter((prompt) => prompt.includes(text)).length)).toEqual([2, 2, 1, 1]);

  const after = files();
  const ran = (id: string) => `.automaker/features/${id}/feature.json`;
  expect(withoutOurKeys(after[ran(BACKLOG)] ?? "", /"status" : "verified"/, '"status" : "backlog"')).toBe(
    before[ran(BACKLOG)],
  );
  expect(withoutOurKeys(after[ran(IN_PROGRESS)] ?? "", /"status": "verified"/, '"status": "in_progress"')).toBe(
    before[ran(IN_PROGRESS)],
  );
  const { [ran(BACKLOG)]: _one, [ran(IN_PROGRESS)]: _two, ...others } = before;
  const changed = Object.keys(others).filter((name) => after[name] !== before[name]);
  const output = (id: string) => `.automaker/features/${id}/agent-output.md`;
  expect(changed).toEqual([output(BACKLOG), output(IN_PROGRESS)]);
  const kept = changed.map((name) => after[name.replace(/\.md$/, "-earlier.md")]);
  expect(kept).toEqual(changed.map((name) => before[name]));
  expectGolden("automaker/after-the-run", listing(before, after));
  expect(after[`.automaker/features/${DAMAGED}/feature.json`]).toBe(
    before[`.automaker/features/${DAMAGED}/feature.json`],
  );
});

/** Every file and whether it is as before; those that are not in full, with carriage returns made visible. */
function listing(before: Record<string, string>, after: Record<string, string>): string {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  const verdict = (name: string) => {
    if (!(name in after)) return "GONE";
    if (!(name in before)) return "new";
    return after[name] === before[name] ? "same" : "changed";
  };
  const shown = names.filter((name) => verdict(name) === "new" || verdict(name) === "changed");
  const texts = shown.map((name) => `---- ${name}\n${Buffer.from(after[name] ?? "", "latin1").toString()}`);
  return [...names.map((name) => `${verdict(name).padEnd(8)}${name}`), "", ...texts].join("\n").replaceAll("\r", "␍");
}
