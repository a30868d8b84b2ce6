import { parseArgs } from "node:util";
import { UsageError } from "@anneal/engine";
import { agree, consentFor, revoke, type ShownProgram, shownPrograms } from "@anneal/engine/consent";
import { projectAt } from "@anneal/engine/project";
import { isAsking } from "../project/ask.ts";
import { counted } from "../project/output.ts";
import { painter } from "../style.ts";
import { askAbout } from "./asking.ts";
import { consenting } from "./consenting.ts";
import { programLines } from "./list.ts";

const help = `anneal trust: show the programs that this repository names, and allow or refuse them

  anneal trust                    show the programs that are not allowed yet, and ask
  anneal trust --yes              allow them without asking
  anneal trust --list             show all of them, allowed or not
  anneal trust --revoke [HASH…]   revoke consent, for all or for these
  --json                          the same as data

Set-up, test command, checks of .choo.yaml and of tasks, pipeline steps and hooks in the tree run only after you have
allowed their command line and the content of the files that they name. When either changes, you are asked again.
Commands in your own settings (~/.anneal/settings.json) need no consent, but files in the tree that they name do.

In CI: ANNEAL_TRUST=HASH,HASH or ANNEAL_TRUST=all, or --trust for one run. No file of the repository can give consent.
Exit code: 0 all are allowed, 2 some are not, or usage.
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
    throw new UsageError("--yes, --list and --revoke cannot be used together");
  const repo = await projectAt(process.cwd());
  if (values.revoke) {
    process.stdout.write(`${await takeBack(repo, positionals)}\n`);
    return 0;
  }
  const programs = await shownPrograms(repo);
  const missing = programs.filter(({ standing }) => standing !== "agreed");
  if (values.yes) {
    await agree(repo, missing, await consenting());
    show(
      values.json,
      missing.map((one) => ({ ...one, standing: "agreed" as const })),
      "Agreed",
    );
    return 0;
  }
  if (values.list || values.json || missing.length === 0 || !isAsking(values.json)) {
    const all = values.list || values.json || missing.length === 0;
    show(values.json, all ? programs : missing, all ? "Named by this repository" : "Not allowed yet");
    if (!values.json && missing.length > 0) process.stdout.write("\nanneal trust --yes allows these programs\n");
    return missing.length === 0 ? 0 : 2;
  }
  if (!(await askAbout(missing))) return 2;
  await agree(repo, missing, await consenting());
  process.stdout.write("Allowed. You will be asked again when any of this changes.\n");
  return 0;
}

function show(json: boolean, programs: readonly ShownProgram[], title: string): void {
  if (json) process.stdout.write(`${JSON.stringify(programs, null, 2)}\n`);
  else if (programs.length === 0) process.stdout.write("Nothing needs your consent.\n");
  else process.stdout.write(`${title}:\n\n${programLines(programs, painter(process.stdout)).join("\n")}\n`);
}

async function takeBack(repo: Parameters<typeof revoke>[0], named: readonly string[]): Promise<string> {
  const { agreed } = await consentFor(repo);
  const hashes = named.map((name) => {
    const [found, ...more] = agreed.filter(({ hash }) => hash.startsWith(name));
    if (found === undefined || more.length > 0)
      throw new UsageError(`${name} does not match exactly one allowed hash; see anneal trust --list`);
    return found.hash;
  });
  await revoke(repo, named.length === 0 ? "all" : hashes);
  return `Consent revoked: ${counted(named.length === 0 ? agreed.length : hashes.length, "program", "programs")}`;
}

export const command = { help, run };
