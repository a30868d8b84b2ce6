import { read } from "@anneal/core/read";
import type { ChangeBounds, Report } from "@anneal/types";
import { cleanedDeep, withoutCredentials } from "../../agents/cli/credentials.ts";
import type { Agent, ReviewAnswer, Reviewer } from "../../ports.ts";
import { textFiles } from "../change-files.ts";
import { addressOf, tokenOf } from "./address.ts";
import { webhookAgent } from "./asking.ts";

export { WebhookError } from "./address.ts";

export interface WebhookSetup {
  /** https, or http to this machine. */
  url: string;
  /** Git's patch between the ends of a change. */
  patch(bounds: ChangeBounds): Promise<string>;
  workItem: { id?: string; title: string; description: string };
  timeoutMs: number;
  /** Sent as a bearer token; `ANNEAL_WEBHOOK_TOKEN` by default. */
  token?: string | undefined;
  /** What runs of agents go through in this process: whoever turns a request away is asked again later. */
  through?: (agent: Agent) => Agent | Promise<Agent>;
}

const LARGEST_REQUEST_BYTES = 32 * 1024 * 1024;

/** A reviewer behind an address: it gets the change as JSON and answers with a verdict, its issues and a summary. */
export function webhookReviewer(setup: WebhookSetup): Reviewer {
  const { through = (agent) => agent } = setup;
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
        report: { status: "inconclusive", reason: `the webhook at ${address.host}: ${reason}` },
        coverage: { reviewed: [], skipped: coverage.skipped },
        usage: {},
      });
      if (Buffer.byteLength(request) > LARGEST_REQUEST_BYTES)
        return { ...inconclusive("it did not run: the change is larger than 32 MB"), lasting: true };
      const agent = await through(webhookAgent(address, token));
      const { timeoutMs } = setup;
      const run = await agent.run({ role: "reviewer", prompt: request, cwd: "", limits: { timeoutMs } }, signal);
      signal.throwIfAborted();
      if (run.status === "finished") {
        const report = withoutToken(reportIn(run.text), token);
        return { report, words: JSON.stringify(report, null, 2), coverage, usage: {} };
      }
      return { ...inconclusive(run.error ?? "gave no answer"), ...(run.lasting ? { lasting: true as const } : {}) };
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
