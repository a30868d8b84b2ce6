import { READY_COMMENT, READY_LABEL } from "@anneal/core/notify";
import { type Forge, ForgeError, isPassing, RateLimited } from "../forges/index.ts";
import type { Notifier, SendResult } from "../ports.ts";

export interface ForgeNotifierSetup {
  /** Null where the project has no forge by now. */
  connect: () => Promise<Pick<Forge, "get" | "say" | "update"> | null>;
  reviewers: readonly string[];
  now: () => number;
}

/** On the pull request itself: seed 001's comment, a request for review, and a label. Each is found again by its key. */
export function githubNotifier({ connect, reviewers, now }: ForgeNotifierSetup): Notifier {
  return {
    name: "github",
    keyed: true,
    async send({ pullRequest: number, key }) {
      if (number === null) return { result: "refused", why: "it has no pull request" };
      try {
        const forge = await connect();
        if (forge === null) return { result: "refused", why: "the project has no forge" };
        const pull = await forge.get(number);
        if (pull.state !== "open") return { result: "refused", why: `the pull request is ${pull.state}` };
        const wanted = reviewers.filter((one) => one !== pull.author && !pull.reviewers.includes(one));
        const labels = pull.labels.includes(READY_LABEL) ? [] : [READY_LABEL];
        // What others opened is theirs: there it is only said.
        if (pull.key !== null && wanted.length + labels.length > 0)
          await forge.update(number, { labels, reviewers: wanted });
        await forge.say(number, { key, body: READY_COMMENT });
        return { result: "sent" };
      } catch (error) {
        return failureOf(error, now());
      }
    },
  };
}

function failureOf(error: unknown, now: number): SendResult {
  if (!(error instanceof ForgeError)) return { result: "later", why: "the forge failed", retryAfterMs: null };
  if (error instanceof RateLimited)
    return { result: "later", why: error.message, retryAfterMs: Math.max(0, error.retryAt - now) };
  if (isPassing(error)) return { result: "later", why: error.message, retryAfterMs: null };
  return { result: "refused", why: error.message };
}
