import type { Repo } from "@anneal/adapters/git";
import type { Finding, TrackedFinding } from "@anneal/types";

const RULED: readonly TrackedFinding["disposition"]["kind"][] = ["dismissed", "accepted-risk"];

/**
 * By file, the values that a person has ruled to be no secrets, or taken the risk of: those that stood where the finding was
 * when it was ruled on. The place alone would be a word on whatever comes to stand there.
 */
export async function ruledValues(
  repo: Pick<Repo, "fileAt">,
  findings: readonly TrackedFinding[],
): Promise<Map<string, Set<string>>> {
  const values = new Map<string, Set<string>>();
  for (const { finding, disposition } of findings) {
    const on = "on" in disposition ? disposition.on : undefined;
    if (on === undefined || !RULED.includes(disposition.kind) || !isAboutSecret(finding, on)) continue;
    const text = await repo.fileAt(on.head, on.file).catch(() => null);
    const there = values.get(on.file) ?? new Set();
    for (const value of await secretsAt(text ?? "", on)) there.add(value);
    values.set(on.file, there);
  }
  return values;
}

/**
 * A line may hold a secret and something else that is wrong: a word on the one is none on the other. Login code is where
 * reviewers speak of tokens and passwords and where secrets stand, so one without a rule has to be about a single line, and
 * has to say that something secret is written there.
 */
function isAboutSecret(
  { rule, category, title, description }: Finding,
  { line, endLine }: { line: number; endLine: number },
): boolean {
  if (rule !== undefined) return rule === "secret";
  const said = `${title} ${description}`;
  return category === "security" && line === endLine && SECRET.test(said) && WRITTEN_DOWN.test(said);
}

const SECRET = /secret|token|credential|passw|passphrase|\bkeys?\b/iu;
const WRITTEN_DOWN =
  /hard-?\s?coded|\bcommitted\b|checked in|\bliteral\b|plain ?text|\bin (?:the |its )?(?:code|source|repository|file|clear)\b/iu;

async function secretsAt(text: string, { file, line, endLine }: { file: string; line: number; endLine: number }) {
  const { scanSecrets } = await import("@anneal/adapters/builtin/reviewer");
  const whole = text.replaceAll("\r\n", "\n");
  const lineOf = (offset: number) => whole.slice(0, offset).split("\n").length;
  return (await scanSecrets(whole, file))
    .filter(({ start, end }) => lineOf(start) <= endLine && lineOf(end - 1) >= line)
    .map(({ start, end }) => whole.slice(start, end));
}
