import { placeOf } from "@anneal/core";
import type { Repo } from "@anneal/git";
import type { Finding, LoopState, TrackedFinding } from "@anneal/types";

const RULED: readonly TrackedFinding["disposition"]["kind"][] = ["dismissed", "accepted-risk"];

/** Whether a person has said that it is not one, or accepts its risk. */
export function isRuled({ disposition }: TrackedFinding): boolean {
  return RULED.includes(disposition.kind);
}

/** What a word on a reviewer's finding is a word on. */
export interface RuledOn {
  entry: TrackedFinding;
  file: string;
  value: string;
}

type Place = NonNullable<Extract<TrackedFinding["disposition"], { kind: "dismissed" }>["on"]>;

/**
 * The values that a person's ruling on reviewers' findings is about, or would be: the one that stands where the finding was
 * when it was ruled on. The place alone would be a word on whatever comes to stand there, and where there are several values
 * nobody knows which one the reviewer meant.
 */
export async function ruledValues(
  repo: Pick<Repo, "fileAt">,
  state: Pick<LoopState, "findings" | "rounds" | "head">,
): Promise<RuledOn[]> {
  const all: RuledOn[] = [];
  for (const entry of state.findings) {
    const on = placeOfWord(state, entry);
    if (on === null || !isAboutSecret(entry.finding, on)) continue;
    const text = await repo.fileAt(on.head, on.file).catch(() => null);
    const [value, ...others] = new Set(await secretsAt(text ?? "", on));
    if (value !== undefined && others.length === 0) all.push({ entry, file: on.file, value });
  }
  return all;
}

function placeOfWord(state: Pick<LoopState, "rounds" | "head">, entry: TrackedFinding): Place | null {
  const { disposition, heldIn } = entry;
  if (heldIn !== undefined) return null;
  if (isRuled(entry)) return ("on" in disposition ? disposition.on : undefined) ?? null;
  const isOpen = disposition.kind === "open" || disposition.kind === "deferred";
  return isOpen ? (placeOf(state, entry).on ?? null) : null;
}

/**
 * A line may hold a secret and something else that is wrong: a decision on the one does not cover the other. Login code is where
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
