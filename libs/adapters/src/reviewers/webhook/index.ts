import { read } from "@anneal/core/read";
import type { ChangeBounds, Report } from "@anneal/types";
import { cleanedDeep, withoutCredentials } from "../../agents/cli/credentials.ts";
import type { ReviewAnswer, Reviewer } from "../../ports.ts";
import { textFiles } from "../change-files.ts";
import { addressOf, tokenOf } from "./address.ts";
import { bodyOf, WebhookFailed } from "./body.ts";
import { post } from "./post.ts";

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
      const limit = AbortSignal.timeout(setup.timeoutMs);
      let begun = false;
      try {
        const response = await post(address, {
          headers: {
            "content-type": "application/json",
            "content-length": String(Buffer.byteLength(request)),
            accept: "application/json",
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          },
          body: request,
          signal: AbortSignal.any([signal, limit]),
        });
        begun = true;
        const { statusCode: status = 0 } = response;
        if (status !== 200) {
          response.destroy();
          const refused = [401, 403, 404, 405, 410].includes(status);
          return { ...inconclusive(refusal(status)), ...(refused ? { lasting: true as const } : {}) };
        }
        const report = reportIn(await bodyOf(response, LARGEST_ANSWER_BYTES));
        return { report: withoutToken(report, token), coverage, usage: {} };
      } catch (error) {
        signal.throwIfAborted();
        const late = begun ? "had begun to answer, but was not done after" : "did not answer within";
        return inconclusive(limit.aborted ? `${late} ${setup.timeoutMs} ms` : failureOf(error));
      }
    },
  };
}

/** Only once it is read: within JSON the same token can be written in many ways. */
function withoutToken(report: Report, token: string | undefined): Report {
  if (token === undefined) return report;
  const clean = withoutCredentials([token]);
  return cleanedDeep(report, (text) => clean(text).replaceAll(token, "[redacted]")) as Report;
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
function failureOf(error: unknown): string {
  if (error instanceof WebhookFailed) return error.message;
  const { code } = error as { code?: unknown };
  return `could not be reached (${typeof code === "string" ? code : "unknown failure"})`;
}
