import { retryAfterMs } from "../../agents/api/failures.ts";
import { troubleOfStatus } from "../../agents/cli/trouble.ts";
import type { Agent, AgentRun } from "../../ports.ts";
import { bodyOf, WebhookFailed } from "./body.ts";
import { post } from "./post.ts";

const LARGEST_ANSWER_BYTES = 8 * 1024 * 1024;

/** Asking a webhook once, as a run like any other: its prompt is the body to send. So it has a slot and a back-off like all runs. */
export function webhookAgent(address: URL, token: string | undefined): Agent {
  return {
    name: "webhook",
    capabilities: { schema: "native", readOnly: "os", cost: "none", streaming: "none" },
    async run({ prompt, limits }, signal): Promise<AgentRun> {
      const limit = AbortSignal.timeout(limits.timeoutMs);
      let begun = false;
      try {
        const response = await post(address, {
          headers: {
            "content-type": "application/json",
            "content-length": String(Buffer.byteLength(prompt)),
            accept: "application/json",
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          },
          body: prompt,
          signal: AbortSignal.any([signal, limit]),
        });
        begun = true;
        const { statusCode: status = 0, headers } = response;
        if (status === 200)
          return { status: "finished", text: await bodyOf(response, LARGEST_ANSWER_BYTES), usage: {} };
        response.destroy();
        return { ...failed(refusal(status)), ...troubleOf(status, headers["retry-after"]) };
      } catch (error) {
        if (signal.aborted) return { ...failed("the review was cancelled"), status: "cancelled" };
        const late = begun ? "it began to answer, but did not finish within" : "it did not answer within";
        if (limit.aborted) return { ...failed(`${late} ${limits.timeoutMs} ms`), status: "timed-out" };
        return failureOf(error);
      }
    },
  };
}

function failed(error: string): AgentRun {
  return { status: "failed", text: "", error, usage: {} };
}

const GONE = [405, 410];

function troubleOf(status: number, retryAfter: string | undefined) {
  if (GONE.includes(status)) return { lasting: true as const };
  const headers = new Headers(retryAfter === undefined ? {} : { "retry-after": retryAfter });
  return troubleOfStatus(status, retryAfterMs(headers));
}

function refusal(status: number): string {
  return `it answered ${status}${status >= 300 && status < 400 ? ": redirects are not followed" : ""}`;
}

/** Never the error's own words: they may hold the address, and with it what is secret in it. */
function failureOf(error: unknown): AgentRun {
  if (error instanceof WebhookFailed) return failed(`it ${error.message}`);
  const { code } = error as { code?: unknown };
  const run = failed(`it could not be reached (${typeof code === "string" ? code : "unknown failure"})`);
  return { ...run, rateLimited: { retryAfterMs: null } };
}
