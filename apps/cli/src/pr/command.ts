import { UsageError } from "@anneal/engine";
import { playersHelp } from "../run/players-help.ts";
import { allow } from "./allow.ts";
import { create } from "./create.ts";
import { forge } from "./forge.ts";
import { showPullRequests } from "./status.ts";
import { watch } from "./watch.ts";

const help = `anneal pr: features as pull requests, reviewed before they are opened and listened to afterwards

  anneal pr create ID          run a feature until its pull request is open: self-review, refinement, push
  anneal pr watch [ID…]        listen to the forge: address feedback, tell when people are needed, merge what they approve
  anneal pr watch --once       one look at the forge, everything that follows from it, and then leave
  anneal pr status [ID…]       where pull requests and their sessions stand; asks nobody
  anneal pr allow              agree that branches of this project may be pushed to its remote

  --dry-run                    with create and watch: what would happen; nothing is started, nothing is pushed
  --json                       one line of JSON per event while running; data with --dry-run, status and allow
  --allow-push                 with create: what anneal pr allow does, at the same time
  --agent NAME                 who plays every part
  --implementer NAME  --reviewer NAME  --fixer NAME
                               who plays one part (default: "agents" of the settings)

${playersHelp()}

The remote (origin, or pullRequests.remote of the settings) has to be a forge that is known here. What is pushed is exactly the
reviewed head; an open secret or critical finding, and any secret in the commits, is never pushed. watch ends when everything is
merged or closed, or needs a person here; a pull request that is ready for people is still listened to. Ctrl-C stops it, and the
next one goes on. Signals (approve, refine, ready, retry, skip…), show, history and export take the feature's id.

To try this out without a forge, on a fake one: a bare repository and a JSON file, on this disk and for nobody else.
  anneal pr forge init DIR                                  make it; then git remote add origin DIR, git push origin main
  anneal pr forge say DIR NUMBER TEXT --as NAME             somebody comments; --file F --line N on a line
  anneal pr forge review DIR NUMBER VERDICT [TEXT] --as NAME
                                                            VERDICT is approve, request-changes or comment
  anneal pr forge check DIR NUMBER NAME RESULT              a check of its head ends; RESULT is success or failure
  anneal pr forge merge | close DIR NUMBER --as NAME        somebody does it by hand
  anneal pr forge show DIR                                  what is on it

Exit code: 0 open, ready or merged, 1 it needs a person here or was closed, 2 usage, 130 stopped.
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
      ? `say what to do: ${known}; see anneal pr --help`
      : `there is no anneal pr ${verb}; there are ${known}`,
  );
}

export const command = { help, run };
