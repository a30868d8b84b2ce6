import { ForgeError } from "../contract/errors.ts";
import type { Check, MergeResult, Permission, Review } from "../contract/port.ts";
import { type FakeContext, nowText, pullRequestRefsOf } from "./context.ts";
import { addComment, commentIn } from "./conversation.ts";
import { merge, settled } from "./merge.ts";
import { type FakeState, nextPull, pullIn, type StoredPull } from "./state.ts";

/** Somebody else who uses the forge. */
export interface ForgeUser {
  comment(number: number, body: string, place?: CommentLocation): Promise<number>;
  reply(number: number, to: number, body: string): Promise<number>;
  edit(number: number, comment: number, body: string): Promise<void>;
  resolve(number: number, comment: number, how?: "resolved" | "open"): Promise<void>;
  review(number: number, review: PersonsReview): Promise<number>;
  dismiss(number: number, review: number): Promise<void>;
  /** Opens a pull request by hand, with just this text. */
  open(branch: string, base: string, title: string, body?: string): Promise<number>;
  close(number: number): Promise<void>;
  merge(number: number): Promise<MergeResult>;
  /** Commits on top of a branch, or begins one from another; null removes a file. Gives the new head. */
  push(branch: string, files: Record<string, string | null>, from?: string): Promise<string>;
  deleteBranch(branch: string): Promise<void>;
}

export interface CommentLocation {
  file: string;
  line: number;
  /** The head by default. */
  commit?: string;
}

export interface PersonsReview {
  /** `pending`: begun and not published, so nobody else sees it. */
  state: Exclude<Review["state"], "dismissed"> | "pending";
  body?: string;
  /** The head by default. */
  commit?: string;
  comments?: (CommentLocation & { body: string })[];
}

/** What happens at the forge without us. */
export interface FakeWorld {
  as(name: string): ForgeUser;
  setUser(name: string, permission: Permission, kind?: "person" | "bot"): Promise<void>;
  setCheck(head: string, check: Pick<Check, "name"> & Partial<Omit<Check, "id" | "head" | "url">>): Promise<number>;
  /** Turns every request away until then; null lets them through. */
  limitUntil(ms: number | null): Promise<void>;
  /** Takes a pull request away with all that was said on it; its number is not given again. */
  removePull(number: number): Promise<void>;
  /** Makes the next changes without telling whoever asked for them. */
  loseAnswers(count: number): Promise<void>;
}

export function fakeWorld(desk: FakeContext): FakeWorld {
  const { store, clock } = desk;
  return {
    as: (name) => person(desk, name),
    setUser: (name, permission, kind = "person") =>
      store.change((state) => {
        state.users[name] = { permission, bot: kind === "bot" };
      }),
    setCheck: (head, check) =>
      store.change((state) => {
        const id = state.nextId++;
        const status = check.status ?? "completed";
        const ended = { conclusion: check.conclusion ?? "success", completedAt: check.completedAt ?? nowText(clock) };
        const { summary = "", log = "", name } = check;
        const result = status === "completed" ? ended : { conclusion: null, completedAt: null };
        state.checks.push({ id, name, head, status, summary, log, ...result });
        return id;
      }),
    limitUntil: (ms) =>
      store.change((state) => {
        state.limitedUntil = ms;
      }),
    removePull: (number) =>
      store.change((state) => {
        state.lastPull = Math.max(...state.pulls.map((pull) => pull.number));
        state.pulls = state.pulls.filter((pull) => pull.number !== number);
      }),
    loseAnswers: (count) =>
      store.change((state) => {
        state.answersToLose = count;
      }),
  };
}

function person(desk: FakeContext, author: string): ForgeUser {
  const { store, repo, clock } = desk;
  const change = <T>(number: number, act: (pull: StoredPull, state: FakeState) => T) =>
    store.change((state) => act(pullIn(state, number), state));
  const head = async (number: number) => (await pullRequestRefsOf(desk, pullIn(await store.read(), number))).head;
  return {
    async comment(number, body, place) {
      const at = nowText(clock);
      const where = place === undefined ? {} : { place: { ...place, commit: place.commit ?? (await head(number)) } };
      return change(number, (pull, state) => addComment(state, pull, { author, body, at, ...where }).id);
    },
    reply: (number, to, body) =>
      change(number, (pull, state) => {
        const target = commentIn(pull, to);
        return addComment(state, pull, { author, body, at: nowText(clock), target }).id;
      }),
    edit: (number, comment, body) =>
      change(number, (pull) => {
        Object.assign(commentIn(pull, comment), { body, updatedAt: nowText(clock) });
      }),
    resolve: (number, comment, how = "resolved") =>
      change(number, (pull) => {
        const thread = commentIn(pull, comment).thread;
        for (const one of pull.comments) {
          if (one.thread !== null && one.thread.id === thread?.id) one.thread.resolved = how === "resolved";
        }
      }),
    async review(number, { state: verdict, body = "", commit, comments = [] }) {
      const on = commit ?? (await head(number));
      return change(number, (pull, state) => {
        const at = nowText(clock);
        const review = { id: state.nextId++, author, state: verdict, body, commit: on, submittedAt: at };
        pull.reviews.push(review);
        const published = verdict === "pending" ? [] : comments;
        for (const { file, line, body: said, commit: where = on } of published) {
          addComment(state, pull, {
            author,
            body: said,
            at,
            place: { file, line, commit: where },
            reviewId: review.id,
          });
        }
        return review.id;
      });
    },
    dismiss: (number, review) =>
      change(number, (pull) => {
        const found = pull.reviews.find(({ id }) => id === review);
        if (found !== undefined) found.state = "dismissed";
      }),
    async open(branch, base, title, body = "") {
      const { [branch]: at = null } = await repo.heads(branch);
      return store.change((state) => {
        const number = nextPull(state);
        const lists = { labels: [], reviewers: [], comments: [], reviews: [] };
        const fresh = { state: "open", draft: false, mergeCommit: null, merging: null } as const;
        state.pulls.push({ number, title, body, base, branch, head: at ?? "", author, ...fresh, ...lists });
        return number;
      });
    },
    async close(number) {
      await settled(desk, number);
      const last = await head(number);
      await change(number, (pull) => {
        if (pull.state === "open") Object.assign(pull, { state: "closed", head: last });
      });
    },
    async merge(number) {
      const { users } = await store.read();
      const { permission } = users[author] ?? { permission: "none" };
      if (!["write", "maintain", "admin"].includes(permission)) {
        throw new ForgeError("forbidden", `${author} may not merge here: ask someone with write permission`);
      }
      return merge(desk, number, author, { method: "merge", expectedHead: await head(number) });
    },
    async push(branch, files, from = branch) {
      const { [branch]: was = null, [from]: start = null } = await repo.heads(branch, from);
      const message = `${author} changes ${Object.keys(files).join(", ")}\n`;
      const commit = await repo.push({ branch, parent: was ?? start, files, message, author, at: clock.now() });
      if (commit !== null) return commit;
      throw new ForgeError("head-moved", `${branch} was pushed by someone else: try again`);
    },
    deleteBranch: (branch) => repo.remove(branch),
  };
}
