import { createHash } from "node:crypto";
import type { Clock } from "@anneal/adapters";
import { ForgeError, listen, type PullRequest, type PullRequestFeedback, RateLimited } from "@anneal/adapters/forges";
import { advance, isAtRest, leftBy, listens, mayBeHeld, reviewedHead } from "@anneal/core";
import { type FeedbackRules, readFeedback } from "@anneal/core/pull-request";
import type { Repo } from "@anneal/git";
import type { LoopState, PullRequestRef } from "@anneal/types";
import { errorMessage } from "@anneal/types/unknown";
import { keyOfRow } from "../../history/item-key.ts";
import { historyOf } from "../../history/loop-history.ts";
import type { EventMessage, ProjectStore } from "../../history/store-log.ts";
import type { LoopSummary } from "../../history/summary.ts";
import type { LogLoopRow } from "../../log/index.ts";
import type { ExternalEvent } from "../../loop/engine.ts";
import { closedResult } from "./closed.ts";
import { conflictOf } from "./conflict.ts";
import type { FeedbackReceived } from "./feedback.ts";
import { connect, type ForgeConnection, pullRequestTerms } from "./forge.ts";
import { type HoldReason, heldBy, movedPullBranch } from "./moved-branch.ts";
import { isNews } from "./news.ts";
import { isRefusal } from "./rate-limit.ts";

const HELD = "delivery-refused";
const POLL_MS = 30_000;
const QUIET_MS = 60_000;

export interface FeedbackListenerArgs {
  repo: Repo;
  store: ProjectStore;
  clock: Clock;
  onTrouble: (item: string, message: string) => void;
}

type Row = LogLoopRow<LoopSummary>;

/** The result of a poll, and where the next one starts. */
interface PollResult {
  cursor: string;
  branch: { name: string; gone?: true | undefined };
  pull: PullRequest;
  event: Omit<FeedbackReceived, "at">;
}

/**
 * Listens to the forge for every loop that rests with an open pull request. What is new becomes a message to that loop, as a
 * person's word does, so that listening holds up no other work and a loop that waits for people hears the forge, too.
 */
export class FeedbackListener {
  readonly #args: FeedbackListenerArgs;
  /** By loop and pull request. */
  readonly #lastPolls = new Map<string, PollResult>();
  /** By loop: why its last look failed. */
  readonly #troubles = new Map<string, string>();
  #notBefore = 0;

  constructor(args: FeedbackListenerArgs) {
    this.#args = args;
  }

  /** Whether the forge could still say something that this loop goes on with. */
  static listensTo({ stage, summary }: Row): boolean {
    const waits = stage === "waiting-for-human" && summary.reason === "ready-for-human";
    return isOpen(summary.pr) && (stage === "awaiting-feedback" || waits);
  }

  /** When the next look is due. */
  async dueMs(): Promise<number> {
    const { repo, clock } = this.#args;
    // Settings that cannot be read are reported by whoever needs them.
    const { pollMs = POLL_MS } = await pullRequestTerms(repo.root).catch((): { pollMs?: number } => ({}));
    return Math.max(pollMs, this.#notBefore - clock.now());
  }

  /** Keys of the items that a look asks about: all that rest with a pull request, whatever they wait for. */
  asked(): string[] {
    return this.#resting().map(keyOfRow);
  }

  #resting(): Row[] {
    const rows = this.#args.store.loops({ open: true });
    return rows.filter(({ stage, summary }) => isOpen(summary.pr) && isAtRest(stage));
  }

  /** Asks once about every pull request; where the forge limits us, the rest is left for the next look. */
  async poll(): Promise<void> {
    const { clock, repo } = this.#args;
    const rows = this.#resting();
    if (rows.length === 0 || clock.now() < this.#notBefore) return;
    for (const [at, row] of rows.entries()) {
      try {
        const place = await connect(repo, clock);
        if ("none" in place) throw new ForgeError("no-forge", `the pull request is not watched, because ${place.none}`);
        await this.#ask(place, row);
        this.#troubles.delete(row.loop);
      } catch (error) {
        if (isRefusal(error)) this.#refused(row, error);
        else this.#complain(row, errorMessage(error));
        if (!(error instanceof RateLimited)) continue;
        this.#notBefore = error.retryAt;
        for (const { loop } of rows.slice(at)) this.#troubles.set(loop, error.message);
        return;
      }
    }
  }

  /** Keys of the items that the forge can still say something about. */
  listening(): string[] {
    return this.#rows().map(keyOfRow);
  }

  /** Those of them that it could not be asked about at the last look, and why. */
  unreachable(): Map<string, string> {
    return new Map(
      this.#rows().flatMap((row) => {
        const why = this.#troubles.get(row.loop);
        return why === undefined ? [] : [[keyOfRow(row), why]];
      }),
    );
  }

  #rows(): Row[] {
    return this.#args.store.loops({ open: true }).filter(FeedbackListener.listensTo);
  }

  /** A person decides what does not pass by itself; a loop that waits for one already gets a message. */
  #refused(row: Row, error: Error): void {
    const { pr, reason } = row.summary;
    if (isOpen(pr) && FeedbackListener.listensTo(row))
      this.#post(row, heldWord(this.#args.clock.now(), heldBy(error, pr)));
    else if (reason !== HELD) this.#complain(row, error.message);
  }

  async #ask(place: ForgeConnection, row: Row): Promise<void> {
    const { store, clock } = this.#args;
    const { pr } = row.summary;
    if (!isOpen(pr)) return;
    const one = `${row.loop} ${pr.number}`;
    const before = this.#lastPolls.get(one);
    const feedback = await listen(place.forge, pr.number, before?.cursor ?? null);
    const { terms } = place;
    const { allow = [], requiredChecks = [], quietMs = QUIET_MS } = terms;
    const polled = feedback === null ? before : pollResultOf(feedback, { allow, requiredChecks });
    if (polled === undefined) return;
    this.#lastPolls.set(one, polled);
    const history = historyOf(store, row);
    const event = { ...polled.event, head: reviewedHead(history.state, polled.event.head), at: clock.now() };
    const { head } = history.state;
    const over = head === null ? null : await closedResult(this.#args.repo, { number: pr.number, head, place }, event);
    const said = over ?? (await this.#branchMoved(place, polled, history.state)) ?? event;
    if (said.type === "delivery-held") this.#hold(row, history.state, said);
    else {
      const news = isNews(history, { event: said, quietMs }) ? said : null;
      // What sends the loop to work, or ends it, comes first; nobody is asked to approve what cannot be merged.
      const acts = news !== null && !isAtRest(advance(history.policy, history.state, news).stage);
      const word = acts ? news : ((await this.#conflict(place, polled, row, history.state)) ?? news);
      if (word !== null) this.#post(row, word);
    }
  }

  /** Why what is on the forge is not what the loop has delivered. */
  async #branchMoved(
    { remote }: ForgeConnection,
    { branch, event: { head: there } }: PollResult,
    loop: LoopState,
  ): Promise<HeldWord | null> {
    const { repo, clock } = this.#args;
    const { pr } = loop;
    if (pr === null || !listens(loop) || (there === leftBy(loop) && branch.gone !== true)) return null;
    const why = await movedPullBranch(repo, { remote, branch: branch.name, number: pr.number }, loop);
    return why === null ? null : heldWord(clock.now(), why);
  }

  async #conflict(
    place: ForgeConnection,
    { pull }: PollResult,
    row: Row,
    loop: LoopState,
  ): Promise<ExternalEvent | null> {
    if (!listens(loop) || loop.head === null || pull.state !== "open") return null;
    const found = await conflictOf(this.#args.repo, { key: keyOfRow(row), place, pull }, leftBy(loop));
    return found === null ? null : { type: "merge-conflicted", at: this.#args.clock.now(), ...found };
  }

  /** Where something else is to be done first, that goes on, and whoever delivers it is held then. */
  #hold(row: Row, loop: LoopState, word: HeldWord): void {
    const { reason, detail } = row.summary;
    if (!mayBeHeld(loop, word)) this.#complain(row, word.detail);
    else if (reason !== HELD || detail !== word.detail) this.#post(row, word);
  }

  /** The same news at the same point of the log is one message, also when we get it twice after a crash. */
  #post({ loop, lastSeq }: Row, word: ExternalEvent): void {
    // The log may have grown while the forge was asked.
    if (this.#args.store.loop(loop)?.lastSeq !== lastSeq) return;
    const { at: _, ...what } = word;
    const id = createHash("sha256")
      .update(JSON.stringify([loop, lastSeq, what]))
      .digest("hex")
      .slice(0, 32);
    const body: EventMessage = { kind: "event", event: word };
    this.#args.store.post({ id: `forge:${id}`, loop, body });
  }

  /** One that lasts is reported once. */
  #complain(row: Row, message: string): void {
    if (this.#troubles.get(row.loop) === message) return;
    this.#troubles.set(row.loop, message);
    this.#args.onTrouble(keyOfRow(row), message);
  }
}

function isOpen(pr: PullRequestRef | null | undefined): pr is PullRequestRef {
  return pr !== null && pr !== undefined;
}

function pollResultOf(feedback: PullRequestFeedback, rules: FeedbackRules): PollResult {
  const { head, report, state, checks } = readFeedback(feedback, rules);
  const event = { type: "feedback-received", head, report, state, checks } as const;
  const { branch: name, gone } = feedback.pull.head;
  return { cursor: feedback.cursor, branch: { name, gone }, pull: feedback.pull, event };
}

type HeldWord = Extract<ExternalEvent, { type: "delivery-held" }>;

function heldWord(at: number, why: HoldReason): HeldWord {
  return { type: "delivery-held", at, reason: HELD, ...why };
}
