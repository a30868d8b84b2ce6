import { createHash } from "node:crypto";
import type { Forge, PullRequest } from "@anneal/adapters/forges";
import { earned, neverPublished } from "@anneal/core";
import { pullRequestText, type Reckoning, repliesTo } from "@anneal/core/pull-request";
import type { LoopEvent, LoopState, Policy } from "@anneal/types";
import type { ProjectParts } from "./prepare.ts";
import { answered, answersDue } from "./pull-requests-answers.ts";
import { connect, type ForgePlace, mayPush } from "./pull-requests-forge.ts";
import { patiently, refusedBy } from "./pull-requests-patience.ts";
import { pushHead } from "./pull-requests-push.ts";
import { leaksIn, leakText } from "./pull-requests-secrets.ts";

/** What a pull request is opened for. */
export interface PullRequestJob {
  loopId: string;
  branch: string;
  policy: Policy;
  item: { id: string; title: string; description: string };
  /** Commits that earlier loops of the item left on its branch. */
  ours?: readonly string[];
}

export type DeliveryParts = Pick<ProjectParts, "repo" | "store" | "clock">;
type Opening = Extract<LoopState, { stage: "opening-pr" }>;

/**
 * Pushes exactly the head of a loop and opens or updates its pull request: `pr-opened`, `delivery-held` where a person has to
 * act first, `delivery-skipped` where there is no forge. Asked again after a crash, it finds what it had done.
 */
export async function openPullRequest(
  parts: DeliveryParts,
  job: PullRequestJob,
  state: Opening,
  signal: AbortSignal,
): Promise<LoopEvent> {
  const at = () => parts.clock.now();
  try {
    return await patiently(parts.clock, signal, async () => {
      const place = await connect(parts.repo, parts.clock);
      if ("none" in place) return { type: "delivery-skipped", at: at(), reason: place.none };
      const over = await alreadyOver(place.forge, state, at());
      if (over !== null) return over;
      const held = await hindrance(parts, place, state, signal);
      if (held !== null) return { type: "delivery-held", at: at(), ...held };
      const refused = await push(parts, place, job, state, signal);
      if (refused !== null) return { type: "delivery-held", at: at(), reason: "delivery-refused", detail: refused };
      const pull = await opened(place, job, state);
      await answer(parts, place.forge, pull.number, job, state);
      return { type: "pr-opened", at: at(), pr: { number: pull.number, url: pull.url, draft: state.draft } };
    });
  } catch (error) {
    return { type: "delivery-held", at: at(), reason: "delivery-refused", detail: refusedBy(error) };
  }
}

/** Somebody merged or closed it while the loop was at work: nothing is pushed any more. */
async function alreadyOver(forge: Forge, { pr, head }: Opening, at: number): Promise<LoopEvent | null> {
  const pull = pr === null ? null : await forge.get(pr.number);
  if (pull === null || pull.state === "open") return null;
  const report = { status: "complete", claim: null, findings: [], summary: "", rulings: [], notes: [] } as const;
  const told = { ...report, findings: [], rulings: [], notes: [] };
  return { type: "feedback-received", at, head, report: told, state: pull.state, checks: "pending" };
}

type Held = Pick<Extract<LoopEvent, { type: "delivery-held" }>, "reason" | "detail">;

async function hindrance(
  { repo }: DeliveryParts,
  place: ForgePlace,
  { base, head, findings }: Opening,
  signal: AbortSignal,
): Promise<Held | null> {
  // A person may have reopened a finding since the loop decided to publish.
  const open = findings.filter(neverPublished).map(({ finding }) => finding.title);
  if (open.length > 0) return { reason: "never-publish", detail: `not pushed while this is open: ${open.join("; ")}` };
  const leaks = await leaksIn(repo, { base, head, findings }, signal);
  if (leaks.length > 0) {
    const advice = "revoke it, take over and rewrite the branch";
    return { reason: "never-publish", detail: `not pushed: ${leaks.map(leakText).join("; ")}: ${advice}` };
  }
  if (mayPush(place)) return null;
  const detail = `the first push to ${place.remote} (${place.url}) needs your word: anneal pr allow gives it, then retry`;
  return { reason: "push-consent", detail };
}

async function push(
  { repo }: DeliveryParts,
  { remote, base }: ForgePlace,
  { branch, ours = [] }: PullRequestJob,
  { base: from, head }: Opening,
  signal: AbortSignal,
): Promise<string | null> {
  return (await pushHead(repo, { remote, branch, base, from, head, ours }, signal))?.refused ?? null;
}

async function opened({ forge, base, terms }: ForgePlace, job: PullRequestJob, state: Opening): Promise<PullRequest> {
  const { branch, policy, item, loopId } = job;
  const text = pullRequestText({ item, policy, state });
  const { labels = [], reviewers = [] } = terms;
  const key = `loop:${createHash("sha256").update(loopId).digest("hex").slice(0, 16)}`;
  const request = { key, branch, base, ...text, draft: state.draft, labels, reviewers };
  const { pull, outcome } =
    state.pr === null ? await forge.open(request) : { pull: await forge.get(state.pr.number), outcome: "found" };
  // The text of somebody else's pull request is theirs.
  if (outcome === "theirs" || pull.key === null) return pull;
  const same = pull.title === text.title && pull.body.trimEnd() === text.body.trimEnd();
  const told = same ? pull : await forge.update(pull.number, text);
  return told.draft && !state.draft && told.state === "open" ? await forge.markReady(pull.number) : told;
}

/** Tells everybody whose request was worked on what became of it, once. */
async function answer(
  { store }: DeliveryParts,
  forge: Forge,
  number: number,
  { loopId, policy }: PullRequestJob,
  state: Opening,
): Promise<void> {
  for (const { report, head } of answersDue(store, loopId)) {
    const settled = earned(state) && state.head !== head;
    const reckoning: Reckoning = { kind: settled ? "addressed" : "open", head: state.head };
    for (const reply of repliesTo(report, (finding) => answered(policy, finding, reckoning)))
      await forge.say(number, reply);
  }
}
