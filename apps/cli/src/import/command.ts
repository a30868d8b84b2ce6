import { parseArgs } from "node:util";
import { UsageError } from "@anneal/engine";
import { type FoundItem, type Inventory, type ItemGroup, inventoryOf } from "@anneal/engine/inventory";
import { projectAt } from "@anneal/engine/project";
import { counted, json } from "../project/output.ts";
import { harmlessLine, type Paint, painter } from "../style.ts";

const help = `anneal import: what a repository holds for loops to work on

  anneal import PATH           epics, stories, units and features: what was understood, what is wrong, and how to run it
  anneal import PATH --json    as data

Nothing is copied and nothing is changed: work items stay the files that they are.
  epics      .epics/NAME/NAME.epic.yaml, with tickets/*.md and artifacts/epic-state.json
  stories    markdown that begins with "# Story 2.1: Title", anywhere
  units      specs/tasks/NAME/IMPLEMENTATION_PLAN.md with its tasks, and .choo.yaml
  features   .automaker/features/ID/feature.json

Exit code: 0 everything was understood, 1 something cannot be run as it is, 2 usage.
`;

async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { json: { type: "boolean", default: false } },
  });
  const [path = ".", ...more] = positionals;
  if (more.length > 0) throw new UsageError("one repository at a time: anneal import PATH");
  const { root } = await projectAt(path);
  const inventory = await inventoryOf(root);
  process.stdout.write(values.json ? json(asData(inventory)) : text(inventory, painter(process.stdout)));
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

/** How an item of a kind is run. */
const COMMANDS: Partial<Record<ItemGroup["kind"], (item: FoundItem) => string>> = {
  epic: ({ file }) => `anneal epic run ${file}`,
  story: ({ file }) => `anneal story run ${file}`,
  unit: ({ id }) => `anneal unit run ${id}`,
  feature: ({ id }) => `anneal run ${id}`,
};

function text({ root, groups }: Inventory, paint: Paint): string {
  const found = groups.filter(({ items, problems }) => items.length + problems.length > 0);
  if (found.length === 0) return `There is nothing to work on in ${root}: no epics, stories, units or features.\n`;
  return found.map((group) => `${groupText(group, paint)}\n`).join("\n");
}

function groupText({ kind, items, problems, notes }: ItemGroup, paint: Paint): string {
  const [first] = items;
  const how = first === undefined ? [] : [paint("dim", `  → ${harmlessLine(COMMANDS[kind]?.(first) ?? "")}`)];
  return [
    paint("bold", counted(items.length, kind, PLURALS[kind])),
    ...items.map((item) => `  ${itemText(item, paint)}`),
    ...how,
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
