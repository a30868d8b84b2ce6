import { read } from "@anneal/core/read";
import type { ChangeBounds, Report } from "@anneal/types";
import type { ReviewAnswer, Reviewer } from "../../ports.ts";
import { textFiles } from "../change-files.ts";
import { addressOf, tokenOf } from "./address.ts";
import { bodyOf, WebhookFailed } from "./body.ts";

export { WebhookError } from "./address.ts";

export interface WebhookSetup {
  /** https, or http to this machine. */
  url: string;
  /** Git's patch between the ends of a change. */
  patch(bounds: ChangeBounds): Promise<string>;
  workItem: { id?: string; title: string; description: string };
  timeoutMs: number;
  /** Sent as a bearer token; `ANNEAL_WEBHOOK_TOKEN` unless told. */
  token?: string | undefined;
}

const LARGEST_REQUEST_BYTES = 32 * 1024 * 1024;
const LARGEST_ANSWER_BYTES = 8 * 1024 * 1024;

/** A reviewer behind an address: it gets the change as JSON and answers with a verdict, its issues and a summary. */
export function webhookReviewer(setup: WebhookSetup): Reviewer {
  const address = addressOf(setup.url);
  const token = tokenOf(setup.token ?? process.env.ANNEAL_WEBHOOK_TOKEN);
  return {
    name: "webhook",
    requirements: "judged",
    async review(change, signal): Promise<ReviewAnswer> {
      const { coverage } = await textFiles(change);
      const { base, head } = change.bounds;
      const patch = await setup.patch(change.bounds);
      const request = JSON.stringify({ base, head, patch, workItem: setup.workItem });
      const inconclusive = (reason: string): ReviewAnswer => ({
        report: { status: "inconclusive", reason: `the webhook at ${address.host} ${reason}` },
        coverage: { reviewed: [], skipped: coverage.skipped },
        usage: {},
      });
      if (Buffer.byteLength(request) > LARGEST_REQUEST_BYTES)
        return { ...inconclusive("was not asked: the change is larger than 32 MB"), lasting: true };
      try {
        const response = await fetch(address, {
          method: "POST",
          redirect: "manual",
          headers: {
            "content-type": "application/json",
            accept: "application/json",
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          },
          body: request,
          signal: AbortSignal.any([signal, AbortSignal.timeout(setup.timeoutMs)]),
        });
        if (response.status !== 200) {
          await response.body?.cancel();
          const refused = [401, 403, 404, 405, 410].includes(response.status);
          return { ...inconclusive(refusal(response.status)), ...(refused ? { lasting: true as const } : {}) };
        }
        const text = await bodyOf(response, LARGEST_ANSWER_BYTES);
        const report = reportIn(token === undefined ? text : text.replaceAll(token, "***"));
        return { report, coverage, usage: {} };
      } catch (error) {
        signal.throwIfAborted();
        return inconclusive(failureOf(error, setup.timeoutMs));
      }
    },
  };
}

/** The whole body has to be the answer; it is then read as strictly as that of any other reviewer. */
function reportIn(text: string): Report {
  try {
    JSON.parse(text);
  } catch {
    return { status: "inconclusive", reason: "the webhook's answer is not JSON" };
  }
  return read("verdict-json", { text, finished: true });
}

function refusal(status: number): string {
  if (status >= 300 && status < 400) return `answered ${status}: redirects are not followed`;
  return `answered ${status}`;
}

/** Never the error's own words: they may hold the address, and with it what is secret in it. */
function failureOf(error: unknown, timeoutMs: number): string {
  if (error instanceof WebhookFailed) return error.message;
  if (error instanceof Error && error.name === "TimeoutError") return `did not answer within ${timeoutMs} ms`;
  const { cause } = error as { cause?: { code?: unknown } };
  const code = typeof cause?.code === "string" ? cause.code : "unknown failure";
  return `could not be reached (${code})`;
}
