import { parseArgs } from "node:util";
import { systemClock, UsageError } from "@anneal/engine";
import { itemOf, type LoopHistory, openNamedItem, sendSignal } from "@anneal/engine/project";
import { mayPush } from "@anneal/engine/pull-requests";
import { onlyId, withItem } from "../project/one-item.ts";
import { json } from "../project/output.ts";
import { speaker } from "../project/person.ts";
import { castOf, failed, RUNNING, runHere } from "../run/running.ts";
import { harmlessLine } from "../style.ts";
import { agreed, whereTo } from "./allow.ts";
import { forgeHere, targetHere } from "./place.ts";

const POLICY = "pull-request";

/** `anneal pr create ID`. */
export async function create(args: string[]): Promise<number> {
  const { values, positionals } = read(args);
  const { id, title, loop } = await featureNamed(onlyId(positionals, "pr create"));
  const place = await forgeHere();
  if (values["dry-run"]) return await dryRun(place, { id, title, loop, asJson: values.json });
  const asks = !values.json && process.stdin.isTTY === true && process.stderr.isTTY === true;
  await agreed(place, { option: values["allow-push"], asks });
  if (loop?.state.stage === "waiting-for-human" && loop.state.reason === "push-consent") await retry(id);
  const { root } = place;
  const result = await runHere({
    command: "pr",
    root,
    limit: 1,
    cast: castOf(values),
    overrides: { policy: POLICY },
    only: [id],
    json: values.json,
    trust: values.trust,
    hint: null,
  });
  const pr = result.settled.get(id)?.pr ?? null;
  if (pr !== null && !values.json) {
    process.stdout.write(
      `Pull request ${pr.number}${pr.draft ? ", a draft, NOT REVIEWED" : ""}: ${harmlessLine(pr.url)}\n`,
    );
  }
  return failed(result) || pr === null ? 1 : 0;
}

function read(args: string[]) {
  return parseArgs({
    args,
    allowPositionals: true,
    options: {
      ...RUNNING,
      "allow-push": { type: "boolean", default: false },
      "dry-run": { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
  });
}

interface Wanted {
  id: string;
  title: string;
  /** Null where a new one would begin. */
  loop: LoopHistory | null;
}

async function featureNamed(name: string): Promise<Wanted> {
  return await withItem(name, async (_project, { id, entry }, loop) => {
    if (itemOf(id).kind !== "feature" || entry === null)
      throw new UsageError(`${id} is not a feature, and only features have pull requests`);
    if ("damaged" in entry) throw new UsageError(`feature ${id} cannot be read: ${entry.damaged}`);
    const { title, description, status } = entry.feature;
    const open = loop?.state.stage === "ended" ? null : loop;
    if (open !== null && open.policy.push === "never") {
      throw new UsageError(
        `the open loop of ${id} runs under the policy ${open.policy.name}, which opens no pull request: end it first with anneal stop ${id}`,
      );
    }
    if (open === null && (status === "verified" || status === "completed")) {
      throw new UsageError(`${id} is already ${status}: set its status to backlog to rebuild it`);
    }
    return { id, title: title ?? description.split("\n")[0] ?? id, loop: open };
  });
}

async function dryRun(
  place: Awaited<ReturnType<typeof forgeHere>>,
  { id, title, loop, asJson }: Wanted & { asJson: boolean },
): Promise<number> {
  const { remote, url, forge } = place;
  const base = await targetHere(place, loop?.started.into);
  const plan = {
    feature: id,
    title,
    policy: loop?.policy.name ?? POLICY,
    goesOnAt: loop?.state.stage ?? null,
    forge: forge.name,
    account: await forge.me(),
    remote,
    url,
    branch: loop?.row.summary.branch ?? null,
    base,
    pushAllowed: mayPush(place),
    pullRequest: loop?.state.pr ?? null,
  };
  const allowed = plan.pushAllowed ? "" : "\nPushing there is not allowed yet: use --allow-push or anneal pr allow.";
  const how = loop === null ? "a new loop begins" : `its loop continues at ${loop.state.stage}`;
  const text = `[DRY-RUN] ${harmlessLine(title)} (${id}): ${how}, under ${plan.policy}
[DRY-RUN] The reviewed head is pushed to ${whereTo(place)}, and a pull request into ${base} is opened on ${forge.name} as ${plan.account}.${allowed}
`;
  process.stdout.write(asJson ? json(plan) : text);
  return 0;
}

/** The push that was waited for is allowed now. */
async function retry(id: string): Promise<void> {
  using talk = await openNamedItem(process.cwd(), id, systemClock);
  const { row } = talk;
  if (row !== null)
    await sendSignal({ ...talk, row, ...(await speaker(null)), clock: systemClock }, { signal: "retry" });
}
