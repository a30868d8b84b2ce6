import type { Repo } from "@anneal/adapters/git";
import type { Finding, TrackedFinding } from "@anneal/types";
import { BETWEEN } from "./pull-requests-masked.ts";
import type { Outgoing } from "./pull-requests-wording.ts";

/** A secret in a commit that would be pushed. */
export interface Leak {
  commit: string;
  finding: Finding;
}

/**
 * Secrets in what a push would publish, commit by commit: one that a later commit removes is published all the same, and
 * work that nobody has reviewed has no findings yet. What a person has ruled to be none is left out.
 */
export async function leaksIn(
  repo: Repo,
  { base, head, findings }: { base: string; head: string; findings: readonly TrackedFinding[] },
  signal: AbortSignal,
): Promise<Leak[]> {
  const { builtinReviewer } = await import("@anneal/adapters/builtin/reviewer");
  const leaks: Leak[] = [];
  for (const commit of await repo.commitsSince(base, head)) {
    const parent = await repo.resolve(`${commit}^`).catch(() => repo.emptyTree());
    const change = repo.change({ base: parent, head: commit, headKind: "commit" });
    try {
      const { report } = await builtinReviewer.review(change, signal);
      const found = report.status === "complete" ? report.findings.filter(({ rule }) => rule === "secret") : [];
      leaks.push(...found.filter((one) => !isRuledOn(one, findings)).map((finding) => ({ commit, finding })));
    } finally {
      change.close();
    }
  }
  return leaks;
}

const RULED: readonly TrackedFinding["disposition"]["kind"][] = ["dismissed", "accepted-risk"];

/** Other reviewers show the line as it is, so there the place has to do. */
function isRuledOn(secret: Finding, findings: readonly TrackedFinding[]): boolean {
  return findings.some(({ finding, disposition }) => {
    if (!RULED.includes(disposition.kind) || finding.file !== secret.file || finding.category !== "security")
      return false;
    return finding.snippet === secret.snippet || finding.line === secret.line;
  });
}

/** In one line, without the secret. */
export function leakText({ commit, finding }: Leak): string {
  const place = finding.line === undefined ? finding.file : `${finding.file}:${finding.line}`;
  return `${finding.title} (${place} in ${commit.slice(0, 12)})`;
}

/** Secrets in the messages of commits that a push would publish, by their places. */
export async function leaksInMessages(
  repo: Pick<Repo, "commitsSince" | "messageOf">,
  { base, head }: { base: string; head: string },
): Promise<string[]> {
  const commits = await repo.commitsSince(base, head);
  const texts = commits.map(async (commit) => {
    return { place: `the message of ${commit.slice(0, 12)}`, text: await repo.messageOf(commit) };
  });
  return await leaksInTexts(await Promise.all(texts));
}

/** Secrets in words that would leave the machine, by their places; also where marks of a forge's own language break them up. */
export async function leaksInTexts(texts: readonly Outgoing[]): Promise<string[]> {
  const { scanSecrets, SECRET_HINT } = await import("@anneal/adapters/builtin/reviewer");
  const leaks: string[] = [];
  for (const { place, text } of texts) {
    const forms = new Set([text, text.replace(BETWEEN, "")]);
    for (const form of forms) {
      const found = SECRET_HINT.test(form) ? await scanSecrets(form, "text.md") : [];
      leaks.push(...found.map(({ what }) => `${/^[aeiou]/iu.test(what) ? "an" : "a"} ${what} is in ${place}`));
    }
  }
  return [...new Set(leaks)];
}
