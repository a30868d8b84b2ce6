import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { systemClock, UsageError } from "@anneal/engine";
import { itemNamed, loadSettings, openReader, policyOf, refuseUnwritable } from "@anneal/engine/project";
import { json } from "../project/output.ts";

const help = `anneal add: put a feature into the backlog

  anneal add "Add a login form"
  anneal add "Add a login form" --description "With e-mail and password." --depends feature-…-ab12cd34e

  --description TEXT   what is wanted, in full (default: the title)
  --spec FILE          a specification for the agents and the reviewer
  --policy NAME        gate, pull-request, scored, adversarial, advisory, one of your settings, or a .json file
  --model NAME         the model that works on it
  --depends ID,ID      features that must be done first
  --priority N         lower goes first (default: 2)
  --branch NAME        the branch to work on (default: feature/ID)
  --skip-tests         a person verifies the result by hand
  --json               print the whole feature instead of its id

Prints the id of the new feature. anneal run ID starts it.
`;

async function run(args: string[]): Promise<number> {
  const { values, positionals } = read(args);
  const [title = "", ...more] = positionals;
  if (title.trim() === "") throw new UsageError('a title is required: anneal add "Add a login form"');
  if (more.length > 0) throw new UsageError(`put the title in quotes: anneal add "${positionals.join(" ")}"`);
  using project = await openReader(process.cwd(), systemClock);
  const { root, features } = project;
  refuseUnwritable(project.repo);
  const { settings } = await loadSettings(root);
  if (values.policy !== undefined) await policyOf({ name: values.policy, because: "" }, settings, root);
  const dependencies: string[] = [];
  for (const name of list(values.depends)) dependencies.push((await itemNamed(project, name)).id);
  const { model, policy, branch } = values;
  const { feature } = await features.create({
    title: title.trim(),
    description: values.description ?? title.trim(),
    ...(values.spec === undefined ? {} : { spec: specification(values.spec) }),
    ...(values.priority === undefined ? {} : { priority: priority(values.priority) }),
    ...(dependencies.length === 0 ? {} : { dependencies }),
    ...(model === undefined ? {} : { model }),
    ...(policy === undefined ? {} : { policy }),
    ...(branch === undefined ? {} : { branchName: branch }),
    ...(values["skip-tests"] ? { skipTests: true } : {}),
  });
  process.stdout.write(values.json ? json(feature) : `${feature.id}\n`);
  return 0;
}

function read(args: string[]) {
  return parseArgs({
    args,
    allowPositionals: true,
    options: {
      description: { type: "string" },
      spec: { type: "string" },
      policy: { type: "string" },
      model: { type: "string" },
      depends: { type: "string", multiple: true },
      priority: { type: "string" },
      branch: { type: "string" },
      "skip-tests": { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
  });
}

function list(values: string[] | undefined): string[] {
  const ids = (values ?? []).flatMap((value) => value.split(",")).map((id) => id.trim());
  return [...new Set(ids.filter(Boolean))];
}

function priority(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value)) throw new UsageError(`--priority takes a number, not "${text}"`);
  return value;
}

function specification(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new UsageError(`cannot read the specification ${file}; check the path`, { cause });
  }
}

export const command = { help, run };
