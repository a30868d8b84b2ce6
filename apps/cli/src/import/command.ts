import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { parseArgs } from "node:util";
import { openRepo, shellWord, UsageError } from "@anneal/engine";
import { type FoundItem, type Inventory, type ItemGroup, inventoryOf } from "@anneal/engine/inventory";
import { callerLocation } from "@anneal/engine/project";
import { counted, json } from "../project/output.ts";
import { harmlessLine, type Paint, painter } from "../style.ts";
import { runnable } from "./runnable.ts";

const help = `anneal import: list the work items of a repository

  anneal import PATH           epics, stories, units and features: what was found, what is wrong, and how to run it
  anneal import PATH --json    as data

Nothing is copied or changed: work items stay in their files.
  epics      .epics/NAME/NAME.epic.yaml, with tickets/*.md and artifacts/epic-state.json
  stories    markdown that begins with "# Story 2.1: Title", anywhere
  units      specs/tasks/NAME/IMPLEMENTATION_PLAN.md with its tasks, and .choo.yaml
  features   .automaker/features/ID/feature.json

Exit code: 0 everything can be run, 1 something cannot be run as it is, 2 usage.
`;

async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { json: { type: "boolean", default: false } },
  });
  const [path = ".", ...more] = positionals;
  if (more.length > 0) throw new UsageError("one repository at a time: anneal import PATH");
  const inventory = await inventoryOf(await callerLocation(path));
  const words = await wordsFor(inventory);
  process.stdout.write(values.json ? json(asData(inventory)) : text(inventory, words, painter(process.stdout)));
  return inventory.groups.some(({ problems }) => problems.length > 0) ? 1 : 0;
}

function asData({ root, groups }: Inventory): object {
  const entries = groups.map(({ kind, ...group }) => [PLURALS[kind] ?? kind, group]);
  return { root, ...Object.fromEntries(entries) };
}

const PLURALS: Partial<Record<ItemGroup["kind"], string>> = {
  epic: "epics",
  story: "stories",
  unit: "units",
  feature: "features",
};

/** How somebody who stands here runs an item of a kind. */
type Words = (kind: ItemGroup["kind"], item: FoundItem) => string[];

async function wordsFor({ root }: Inventory): Promise<Words> {
  const here = await openRepo(process.cwd()).catch(() => null);
  const isHere = here?.root === root;
  const start = isHere ? ["anneal"] : ["anneal", "-C", root];
  const cwd = isHere ? process.cwd() : root;
  return (kind, { id, file }) => {
    if (kind === "feature") return [...start, "run", id];
    // A folder of that name would be taken for the unit.
    if (kind === "unit" && !existsSync(join(cwd, id))) return [...start, "unit", "run", id];
    return [...start, kind, "run", relative(cwd, join(root, kind === "unit" ? dirname(file) : file))];
  };
}

function text({ root, groups }: Inventory, words: Words, paint: Paint): string {
  const found = groups.filter(({ items, problems }) => items.length + problems.length > 0);
  if (found.length === 0) return `No work items in ${root}: no epics, stories, units or features.\n`;
  return found.map((group) => `${groupText(group, words, paint)}\n`).join("\n");
}

function groupText(group: ItemGroup, words: Words, paint: Paint): string {
  const { kind, items, problems, notes } = group;
  const how = runnable(group)
    .slice(0, 1)
    .map((first) => words(kind, first).map(shellWord).join(" "));
  return [
    paint("bold", counted(items.length, kind, PLURALS[kind])),
    ...items.map((item) => `  ${itemText(item, paint)}`),
    ...how.map((command) => paint("dim", `  → ${harmlessLine(command)}`)),
    ...problems.map(({ file, line, message }) => paint("red", `  ✘ ${harmlessLine(`${file}:${line}: ${message}`)}`)),
    ...notes.map((note) => paint("yellow", `  ! ${harmlessLine(note)}`)),
  ].join("\n");
}

function itemText({ id, title, file, status, dependsOn, counts }: FoundItem, paint: Paint): string {
  const numbers = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${count} ${what}`);
  const facts = [...numbers, ...(status === null ? [] : [status]), ...after(dependsOn)].map(harmlessLine);
  const named = title === id ? "" : `  ${harmlessLine(title)}`;
  return `${harmlessLine(id)}${named}  ${paint("dim", `${facts.join(", ")}  ${harmlessLine(file)}`)}`;
}

function after(dependsOn: readonly string[]): string[] {
  return dependsOn.length === 0 ? [] : [`after ${dependsOn.join(" and ")}`];
}

export const command = { help, run };
