import { createHash } from "node:crypto";
import type { PullRequest } from "@anneal/adapters/forges";
import { documentsBy, keptBack, leftBy, neverPublished } from "@anneal/core";
import type { LoopEvent, LoopState, Policy } from "@anneal/types";
import { keyOf } from "../../history/item-key.ts";
import { historyOf } from "../../history/loop-history.ts";
import type { ProjectStore } from "../../history/store-log.ts";
import type { ProjectParts } from "../../items/prepare.ts";
import { tooLarge } from "../../review/secrets/commit-secrets.ts";
import type { Leak } from "../../review/secrets/held.ts";
import { masked } from "../../review/secrets/masked.ts";
import { leaksIn, leaksInTexts } from "../../review/secrets/secrets.ts";
import { conflictOf } from "./conflict.ts";
import type { FeedbackReceived } from "./feedback.ts";
import { connect, type ForgeConnection, mayPush, targetOf } from "./forge.ts";
import { leadsTo } from "./landed.ts";
import type { Landing } from "./missing-from-base.ts";
import { pushHead } from "./push.ts";
import { afterRateLimit, refusedBy, unlessMissing } from "./rate-limit.ts";
import { outgoing, type Wording, wordingOf } from "./wording.ts";

/** What a pull request is opened for. */
export interface PullRequestJob {
  /** Tells this loop from all others; asked for again under the same name, the pull request is found. */
  name: string;
  branch: string;
  /** The branch that takes it in, whatever the settings say. */
  into?: string;
  /** The branch that the loop was begun against; the settings may name another one. */
  against?: string;
  policy: Policy;
  item: { id: string; title: string; description: string };
  /** What earlier loops of the item left on its branch: that may be replaced. */
  ours?: readonly string[];
  /** What people said on it that has no answer yet. */
  unanswered?: readonly FeedbackReceived[];
}

export type DeliveryParts = Pick<ProjectParts, "repo" | "clock"> & Partial<Pick<ProjectParts, "store" | "tell">>;
export type Opening = Extract<LoopState, { stage: "opening-pr" }>;
type Event<T extends LoopEvent["type"]> = Extract<LoopEvent, { type: T }>;

/**
 * Pushes exactly what a loop delivers and opens or updates its pull request: `pr-opened`, `delivery-held` where a person has to
 * act first, `delivery-skipped` where there is no forge. Asked again after a crash, it finds what it had done.
 */
export async function openPullRequest(
  parts: DeliveryParts,
  job: PullRequestJob,
  state: Opening,
  signal: AbortSignal,
): Promise<Event<"pr-opened" | "delivery-held" | "delivery-skipped">> {
  const at = () => parts.clock.now();
  try {
    return await afterRateLimit(parts.clock, signal, async () => {
      const place = await connect(parts.repo, parts.clock);
      if ("none" in place) return { type: "delivery-skipped", at: at(), reason: place.none };
      const words = wordingOf(place, { ...job, unanswered: await masked(job.unanswered ?? []) }, await masked(state));
      const held = await hindrance(parts, place, { job, words }, state, signal);
      if (held !== null) return { type: "delivery-held", at: at(), ...held };
      const { wanted, into, landed } = await goesInto(parts, place, job, signal);
      if (into !== wanted)
        parts.tell?.(itemOfJob(job.name), `${wanted} is already merged, so the pull request goes into ${into}`);
      const before = state.pr === null ? null : await unlessMissing(place.forge.get(state.pr.number));
      // What was merged without our last commits stays what it is: once a person wants that, they go into one of their own.
      const merged = before?.state === "merged" && state.anew === true ? before : null;
      // Its branch has done its work, whoever pushed to it last.
      const ours = [...(job.ours ?? []), ...(merged === null ? [] : [merged.head.sha])];
      const refused = await push(parts, place, { ...job, ours, into, landed }, state, signal);
      if (refused !== null) return { type: "delivery-held", at: at(), reason: "delivery-refused", detail: refused };
      const known = merged === null ? before : null;
      const name = merged === null ? job.name : `${job.name} after ${merged.number}`;
      const pull = await opened(place, { ...job, name, into, known }, words, state);
      // What was taken away meanwhile needs no answer.
      for (const reply of words.replies) await unlessMissing(place.forge.say(pull.number, reply));
      const on = { key: itemOfJob(job.name), place, pull, signal };
      const conflict = await conflictOf(parts.repo, on, leftBy(state));
      const pr = { number: pull.number, url: pull.url, draft: state.draft };
      return { type: "pr-opened", at: at(), pr, ...(conflict === null ? {} : { conflict }) };
    });
  } catch (error) {
    return { type: "delivery-held", at: at(), reason: "delivery-refused", detail: refusedBy(error) };
  }
}

/** Where a pull request goes: other items' branches may have been merged since the work began. */
export async function goesInto(
  { repo, store, clock }: DeliveryParts,
  place: ForgeConnection,
  job: Pick<PullRequestJob, "into" | "against">,
  signal: AbortSignal,
): Promise<{ wanted: string; into: string; landed: Landing[] }> {
  const wanted = job.into ?? (await targetOf({ repo, ...(store === undefined ? {} : { store }) }, place, job.against));
  if (store === undefined) return { wanted, into: wanted, landed: [] };
  return { wanted, ...(await leadsTo({ repo, store, clock }, wanted, signal)) };
}

type Held = Pick<Event<"delivery-held">, "reason" | "detail" | "secrets" | "about">;

async function hindrance(
  { repo, tell }: DeliveryParts,
  place: ForgeConnection,
  { job: { name, branch }, words }: { job: PullRequestJob; words: Wording },
  state: Opening,
  signal: AbortSignal,
): Promise<Held | null> {
  const { base, findings } = state;
  // A person may have reopened a finding since the loop decided to publish.
  const open = findings.filter(neverPublished);
  if (open.length > 0) return { reason: "never-publish", detail: keptBack(open) };
  const pushed = { base, head: leftBy(state), state };
  const { leaks, unread } = await leaksIn(repo, pushed, signal);
  if (leaks.length > 0) return committed(leaks, itemOfJob(name));
  const said = await leaksInTexts(outgoing(branch, words));
  if (said.length > 0) return leaking(said, "remove it from that text and retry");
  if (unread.length > 0) tell?.(itemOfJob(name), tooLarge(unread));
  if (mayPush(place)) return null;
  const why = place.noConsent === undefined ? "" : ` (${place.noConsent})`;
  const detail = `the first push to ${place.remote} (${place.url}) needs your consent${why}: run anneal pr allow, then retry`;
  return { reason: "push-consent", detail };
}

/** The item's key, from the name of its loop. */
export function itemOfJob(name: string): string {
  return name.replace(/~\d+$/u, "");
}

/** What commits bring is a finding each: the only other way out is a new history. */
function committed(leaks: readonly Leak[], key: string): Held {
  const names = [...new Set(leaks.map(({ fingerprint }) => fingerprint.slice(0, 12)))];
  const way = (name: string) => `anneal dismiss or accept-risk ${key} ${name} --reason "…"`;
  const [only = "", ...more] = names;
  const ruling =
    more.length === 0 ? `if it is not a secret, ${way(only)}` : `for each that is not a secret, ${way("FINGERPRINT")}`;
  const which = more.length === 0 ? "" : ` (${names.join(", ")})`;
  const held = leaking(
    leaks.map(({ said }) => said),
    `take over and rewrite the branch; ${ruling}${which}`,
  );
  const secrets = leaks.flatMap(({ own }) => (own === null ? [] : [own]));
  const about = [...new Set(leaks.flatMap(({ own, fingerprint }) => (own === null ? [fingerprint] : [])))];
  return { ...held, ...(secrets.length === 0 ? {} : { secrets }), ...(about.length === 0 ? {} : { about }) };
}

/** Names the locations, never the value. */
function leaking(leaks: readonly string[], advice: string): Held {
  const detail = `not pushed, because it would publish a secret: ${[...new Set(leaks)].join("; ")}. Revoke the secret, then ${advice}`;
  return { reason: "never-publish", detail };
}

async function push(
  { repo, store }: DeliveryParts,
  { remote }: ForgeConnection,
  { name, branch, into, landed, ours = [] }: PullRequestJob & { into: string; landed: readonly Landing[] },
  state: Opening,
  signal: AbortSignal,
): Promise<string | null> {
  const below = store === undefined ? null : keptBackBelow(store, into);
  const own = documentsBy(state).map(({ commit }) => commit);
  const bounds = { from: state.base, head: leftBy(state), ours: [...ours, ...own] };
  const job = { key: itemOfJob(name), remote, branch, base: into, landed, keptBack: below, ...bounds };
  return (await pushHead(repo, job, signal))?.refused ?? null;
}

/** Where the work builds on the branch of another item that must not be published, pushing that by hand would publish it. */
function keptBackBelow(store: ProjectStore, branch: string): string | null {
  const row = store.loops({ branch }).at(-1);
  const kept = row === undefined ? [] : historyOf(store, row).state.findings.filter(neverPublished);
  const [first] = kept;
  if (row === undefined || first === undefined) return null;
  const key = keyOf({ kind: row.kind, id: row.item });
  const ruling = `anneal accept-risk or anneal dismiss ${key} ${first.fingerprint.slice(0, 12)} resolves it`;
  const again = `its loop has ended, so have it reviewed again and rule on the finding there (anneal accept-risk, anneal dismiss)`;
  const way = `${row.stage === "ended" ? again : ruling}, then retry`;
  return `this builds on ${branch} of ${key}, which is ${keptBack(kept)}: ${way}`;
}

async function opened(
  { forge, terms }: ForgeConnection,
  { branch, into, name, known }: PullRequestJob & { into: string; known: PullRequest | null },
  { title, body, labels }: Wording,
  state: Opening,
): Promise<PullRequest> {
  const text = { title, body };
  const { reviewers = [] } = terms;
  const key = `loop:${createHash("sha256").update(name).digest("hex").slice(0, 16)}`;
  const request = { key, branch, base: into, ...text, draft: state.draft, labels: [...labels], reviewers };
  const { pull, outcome } = known === null ? await forge.open(request) : { pull: known, outcome: "found" };
  // The text of somebody else's pull request is theirs.
  if (outcome === "theirs" || pull.key === null) return pull;
  const same = pull.title === text.title && pull.body.trimEnd() === text.body.trimEnd();
  const opened = same ? pull : await forge.update(pull.number, text);
  return opened.draft && !state.draft && opened.state === "open" ? await forge.markReady(pull.number) : opened;
}
