import { globalSettings } from "@anneal/adapters/files";
import type { Policy } from "@anneal/types";
import { UsageError } from "../errors/errors.ts";
import { type JudgingSettings, SETTINGS_FILE } from "../review/judging-settings.ts";
import { parseName } from "./named.ts";

/** Those that run a program, play a file or send to an address that stands in the name. */
const REACHING = ["command", "acp", "scripted", "replay", "sarif", "webhook"];

const PARTS = ["implementer", "reviewer", "fixer"] as const;

/** What the settings are asked for. */
export interface NamesQuery {
  /** Players that were named elsewhere, so that nobody asks the settings. */
  besides: { [P in (typeof PARTS)[number]]?: string | undefined };
  /** The policy, where it was chosen just now; null where it is bound already. */
  policy: Policy | null;
  /** Whether the item's own file names the policy by a file. */
  policyFile?: string | undefined;
}

/** A repository must not choose what runs on the user's machine, nor who judges it: only the user names programs, files and addresses. */
export function refuseForeignNames(settings: JudgingSettings, asked: NamesQuery): void {
  const { policy, policyFile } = asked;
  const by = policy?.reviewer.verification?.by ?? "";
  if (policyFile !== undefined && reaches(by))
    throw refused(`${policyFile}: reviewer.verification.by`, by, `--policy ${policyFile}`);
  const [found] = foreignIn(settings, asked);
  if (found === undefined || !settings.ofRepository) return;
  throw refused(`${SETTINGS_FILE}: ${found.key}`, found.named, found.option);
}

function foreignIn({ project }: JudgingSettings, { besides, policy }: NamesQuery) {
  const players = PARTS.flatMap((part) => {
    const named = besides[part] === undefined ? (project.agents?.[part] ?? "") : "";
    return reaches(named) ? [{ key: `agents.${part}`, named, option: `--${part} …` }] : [];
  });
  const own = project.policies?.findIndex(({ name }) => name === policy?.name) ?? -1;
  const by = project.policies?.[own]?.reviewer.verification?.by ?? "";
  const key = `policies[${own}].reviewer.verification.by`;
  return reaches(by) ? [...players, { key, named: by, option: "--policy FILE.json" }] : players;
}

/** Every plus counts as one between reviewers here: a name that is taken apart too far is only asked about too much. */
function reaches(named: string): boolean {
  return named.split("+").some((member) => {
    const { name, argument } = parseName(member);
    // The item's id could be the name of such an agent.
    return (REACHING.includes(name) && argument !== undefined) || name.includes("{id}");
  });
}

function refused(where: string, named: string, option: string): UsageError {
  const own = globalSettings().path;
  return new UsageError(
    `${where} is ${JSON.stringify(named)}, which comes with the repository. Programs, files and addresses must come from you: name it on the command line (${option}), or in your own settings (${own})`,
  );
}
