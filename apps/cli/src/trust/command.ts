import { parseArgs } from "node:util";
import { UsageError } from "@anneal/engine";
import { agree, consentFor, revoke, type ShownProgram, shownPrograms } from "@anneal/engine/consent";
import { projectAt } from "@anneal/engine/project";
import { isAsking } from "../project/ask.ts";
import { counted } from "../project/output.ts";
import { person } from "../project/person.ts";
import { painter } from "../style.ts";
import { askAbout } from "./asking.ts";
import { programLines } from "./list.ts";

const help = `anneal trust: the programs that this repository names, and whether they may run

  anneal trust                    shows those that nobody has agreed to, and asks
  anneal trust --yes              agrees to them without asking
  anneal trust --list             shows all of them, agreed to or not
  anneal trust --revoke [HASH…]   takes consent back, of all or of these
  --json                          the same as data

Set-up, test command, checks of .choo.yaml and of tasks, pipeline steps and hooks of the tree run only after a person has
agreed to their words and to the content of the files that they name. When either changes, they are asked about again.
Your own settings (~/.anneal/settings.json) need no consent, but what their commands name in the tree does.

In CI: ANNEAL_TRUST=HASH,HASH or ANNEAL_TRUST=all, or --trust for one run. No file of the repository can say it.
Exit code: 0 all are agreed to, 2 some are not, or usage.
`;

async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      yes: { type: "boolean", default: false },
      list: { type: "boolean", default: false },
      revoke: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
  });
  if (positionals.length > 0 && !values.revoke)
    throw new UsageError("only --revoke takes hashes; see anneal trust --help");
  if (Number(values.yes) + Number(values.list) + Number(values.revoke) > 1)
    throw new UsageError("--yes, --list and --revoke are three different things; take one of them");
  const repo = await projectAt(process.cwd());
  if (values.revoke) {
    process.stdout.write(`${await takeBack(repo, positionals)}\n`);
    return 0;
  }
  const programs = await shownPrograms(repo);
  const missing = programs.filter(({ standing }) => standing !== "agreed");
  if (values.yes) {
    await agree(repo, missing, { by: person(), at: new Date().toISOString(), through: "command line" });
    show(
      values.json,
      missing.map((one) => ({ ...one, standing: "agreed" as const })),
      "Agreed",
    );
    return 0;
  }
  if (values.list || values.json || missing.length === 0 || !isAsking(values.json)) {
    const all = values.list || values.json || missing.length === 0;
    show(values.json, all ? programs : missing, all ? "Named by this repository" : "Not agreed to");
    if (!values.json && missing.length > 0) process.stdout.write("\nanneal trust --yes agrees to those that wait\n");
    return missing.length === 0 ? 0 : 2;
  }
  if (!(await askAbout(missing))) return 2;
  await agree(repo, missing, { by: person(), at: new Date().toISOString(), through: "terminal" });
  process.stdout.write("Agreed. You are asked again when any of this changes.\n");
  return 0;
}

function show(json: boolean, programs: readonly ShownProgram[], title: string): void {
  if (json) process.stdout.write(`${JSON.stringify(programs, null, 2)}\n`);
  else if (programs.length === 0) process.stdout.write("There is nothing that needs your consent.\n");
  else process.stdout.write(`${title}:\n\n${programLines(programs, painter(process.stdout)).join("\n")}\n`);
}

async function takeBack(repo: Parameters<typeof revoke>[0], named: readonly string[]): Promise<string> {
  const { agreed } = await consentFor(repo);
  const hashes = named.map((name) => {
    const [found, ...more] = agreed.filter(({ hash }) => hash.startsWith(name));
    if (found === undefined || more.length > 0)
      throw new UsageError(
        `${name} is not the beginning of one hash that is agreed to; anneal trust --list shows them`,
      );
    return found.hash;
  });
  await revoke(repo, named.length === 0 ? "all" : hashes);
  return `Consent is taken back: ${counted(named.length === 0 ? agreed.length : hashes.length, "program", "programs")}`;
}

export const command = { help, run };
