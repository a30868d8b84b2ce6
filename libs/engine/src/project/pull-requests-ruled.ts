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
    if (on === undefined || !RULED.includes(disposition.kind) || !isAboutSecret(finding)) continue;
    const text = await repo.fileAt(on.head, on.file).catch(() => null);
    const there = values.get(on.file) ?? new Set();
    for (const value of await secretsAt(text ?? "", on)) there.add(value);
    values.set(on.file, there);
  }
  return values;
}

/** A line may hold a secret and something else that is wrong: a word on the one is none on the other. */
function isAboutSecret({ rule, category, title, description }: Finding): boolean {
  if (rule !== undefined) return rule === "secret";
  const words = /secret|token|credential|passw|passphrase|\bkeys?\b/iu;
  return category === "security" && words.test(`${title} ${description}`);
}

async function secretsAt(text: string, { file, line, endLine }: { file: string; line: number; endLine: number }) {
  const { scanSecrets } = await import("@anneal/adapters/builtin/reviewer");
  const whole = text.replaceAll("\r\n", "\n");
  const lineOf = (offset: number) => whole.slice(0, offset).split("\n").length;
  return (await scanSecrets(whole, file))
    .filter(({ start, end }) => lineOf(start) <= endLine && lineOf(end - 1) >= line)
    .map(({ start, end }) => whole.slice(start, end));
}
