import { UsageError } from "@anneal/engine";
import { playersHelp } from "../run/players-help.ts";
import { allow } from "./allow.ts";
import { create } from "./create.ts";
import { forge } from "./forge.ts";
import { showPullRequests } from "./status.ts";
import { watch } from "./watch.ts";

const help = `anneal pr: open pull requests for features, answer their feedback, merge them

  anneal pr create ID          run a feature until its pull request is open: self-review, fixes, push
  anneal pr watch [ID…]        watch the forge: address feedback, say when people are needed, merge what they approve
  anneal pr watch --once       check the forge once, act on the result, and exit
  anneal pr status [ID…]       the state of pull requests and their sessions, without asking the forge
  anneal pr allow              allow branches of this project to be pushed to its remote

  --dry-run                    with create and watch: show what would happen; starts and pushes nothing
  --json                       one line of JSON per event while running; data with --dry-run, status and allow
  --allow-push                 with create: the same as anneal pr allow first
  --agent NAME                 the agent for every role
  --implementer NAME  --reviewer NAME  --fixer NAME
                               the agent for one role (default: "agents" in the settings)

${playersHelp()}

The remote (origin, or pullRequests.remote in the settings) must be on a known forge: GitHub, where you are signed in with
gh auth login or GITHUB_TOKEN, or a fake one. Only the reviewed head is pushed; an open secret or critical finding, or any
secret in the commits, is never pushed. watch exits when everything is merged or closed, or needs you here; it keeps
watching a pull request that is ready for human review. Ctrl-C stops it; the next one continues. Signals (approve, refine, ready, retry, skip…), show, history and export take the feature's id.

To try this without a forge, use a fake one: a bare repository and a JSON file on this disk.
  anneal pr forge init DIR                                  create it; then git remote add origin DIR, git push origin main
  anneal pr forge say DIR NUMBER TEXT --as NAME             add a comment; --file F --line N for a line
  anneal pr forge review DIR NUMBER VERDICT [TEXT] --as NAME
                                                            VERDICT is approve, request-changes or comment
  anneal pr forge check DIR NUMBER NAME RESULT              finish a check of its head; RESULT is success or failure
  anneal pr forge merge | close DIR NUMBER --as NAME        merge or close it by hand
  anneal pr forge show DIR                                  show what is on it

Exit code: 0 open, ready or merged, 1 needs you here, or was closed, 2 usage, 130 stopped.
`;

const VERBS: Record<string, (args: string[]) => Promise<number>> = {
  create,
  watch,
  status: showPullRequests,
  allow,
  forge,
};

async function run([verb, ...args]: string[]): Promise<number> {
  const act = verb !== undefined && Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  if (act !== undefined) return await act(args);
  const known = Object.keys(VERBS).join(", ");
  throw new UsageError(
    verb === undefined
      ? `a subcommand is required: ${known}; see anneal pr --help`
      : `unknown command anneal pr ${verb}; known: ${known}`,
  );
}

export const command = { help, run };
