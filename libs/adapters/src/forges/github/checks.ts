import { ForgeError } from "../contract/errors.ts";
import type { Check, Conclusion, ForgeChecks } from "../contract/port.ts";
import type { GithubClient } from "./client/client.ts";
import { ForgeRefusal } from "./client/failures.ts";
import { fieldsOf, listOf, maybeNumber, maybeText, numberOf, textOf } from "./client/fields.ts";

/** Check runs, which are an app's, and statuses, which any program sets. */
export function forgeChecks(client: GithubClient): ForgeChecks {
  return {
    async checks(head) {
      try {
        const runs = await client.list(client.path("commits", head, "check-runs"), {}, (page) =>
          listOf(page, "check_runs"),
        );
        const set = await client.list(client.path("commits", head, "status"), {}, (page) => listOf(page, "statuses"));
        const found = latest([...set.map((raw) => statusView(raw, head)), ...runs.map((raw) => runView(raw, head))]);
        const checks: Check[] = [];
        for (const { check, raw } of found) checks.push({ ...check, log: await logOf(client, check, raw) });
        return checks;
      } catch (error) {
        // A commit that GitHub has never seen.
        if (error instanceof ForgeRefusal && error.status === 422) return [];
        throw error;
      }
    },
  };
}

interface SeenCheck {
  check: Check;
  raw: unknown;
}

/** Of several of one name the one that began last: two apps can use one name, and runs are numbered in their order. */
function latest(all: SeenCheck[]): SeenCheck[] {
  const sorted = all.toSorted((one, other) => one.check.id - other.check.id);
  return [...new Map(sorted.map((one) => [one.check.name, one])).values()];
}

const CONCLUSIONS: readonly string[] = [
  "success",
  "failure",
  "neutral",
  "cancelled",
  "skipped",
  "timed_out",
  "action_required",
  "startup_failure",
  "stale",
] satisfies Conclusion[];

function runView(raw: unknown, head: string): SeenCheck {
  const given = textOf(raw, "status");
  const status = given === "completed" || given === "in_progress" ? given : "queued";
  const concluded = maybeText(raw, "conclusion");
  // One that we do not know is not taken for a success.
  const conclusion = isConclusion(concluded) ? concluded : "action_required";
  const { output } = fieldsOf(raw);
  const summary = [maybeText(output, "title"), maybeText(output, "summary")].filter(
    (part) => part !== null && part !== "",
  );
  const check = {
    id: numberOf(raw, "id"),
    name: textOf(raw, "name"),
    head,
    status,
    conclusion: status === "completed" ? conclusion : null,
    summary: summary.join("\n"),
    log: "",
    url: maybeText(raw, "html_url") ?? "",
    completedAt: status === "completed" ? maybeText(raw, "completed_at") : null,
  } as const;
  return { check, raw };
}

function isConclusion(name: string | null): name is Conclusion {
  return name !== null && CONCLUSIONS.includes(name);
}

function statusView(raw: unknown, head: string): SeenCheck {
  const state = textOf(raw, "state");
  const isOver = state !== "pending";
  const check = {
    id: numberOf(raw, "id"),
    name: textOf(raw, "context"),
    head,
    status: isOver ? "completed" : "in_progress",
    conclusion: isOver ? (state === "success" ? "success" : "failure") : null,
    summary: maybeText(raw, "description") ?? "",
    log: "",
    url: maybeText(raw, "target_url") ?? "",
    completedAt: isOver ? maybeText(raw, "updated_at") : null,
  } as const;
  return { check, raw: null };
}

const FAILED: readonly (Conclusion | null)[] = ["failure", "timed_out", "startup_failure"];
const LOG_CHARS = 10_000;

/** Why a check failed: the end of its log where GitHub ran it, else what it wrote and the lines that it marked. */
async function logOf(client: GithubClient, { id, conclusion }: Check, raw: unknown): Promise<string> {
  if (raw === null || !FAILED.includes(conclusion)) return maybeText(fieldsOf(raw).output, "text") ?? "";
  const { output, app } = fieldsOf(raw);
  const marks = (maybeNumber(output, "annotations_count") ?? 0) === 0 ? [] : await annotationsOf(client, id);
  const job = maybeText(app, "slug") === "github-actions" ? await jobLog(client, id) : "";
  return [maybeText(output, "text") ?? "", job, marks.join("\n")]
    .filter((part) => part !== "")
    .join("\n\n")
    .slice(-LOG_CHARS);
}

async function annotationsOf(client: GithubClient, id: number): Promise<string[]> {
  const all = await client.list(client.path("check-runs", id, "annotations"));
  return all.map((one) => {
    const place = [maybeText(one, "path"), maybeNumber(one, "start_line")].filter((part) => part !== null).join(":");
    return `${place}: ${maybeText(one, "message") ?? ""}`;
  });
}

/** A job of GitHub's own runners has the number of its check run. Its log can be gone, or not for this token. */
async function jobLog(client: GithubClient, id: number): Promise<string> {
  try {
    return await client.endOf(client.path("actions", "jobs", id, "logs"), LOG_CHARS);
  } catch (error) {
    if (error instanceof ForgeError && (error.kind === "not-found" || error.kind === "forbidden")) return "";
    throw error;
  }
}
