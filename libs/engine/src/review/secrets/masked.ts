/** Where reviewers, fixers and people say something in their own words. */
const WORDS = [
  ...["title", "description", "impact", "suggestion", "snippet", "file", "category", "severity"],
  ...["summary", "reason", "evidence", "by", "acceptedBy"],
];
/** What a forge's own language, or somebody on purpose, puts between the letters of a secret and no reader sees. */
const BETWEEN =
  /[\p{Cf}\p{DI}]|\\(?=[!-/:-@[-`{-~])|<!--[\s\S]*?-->|<\/?[a-z][^<>]*>|&(?:shy|zwn?j|lrm|rlm|NoBreak|ZeroWidthSpace|NegativeVery\w+|NegativeThi\w+|NegativeMed\w+);|\*+|`+|~~/giu;
const REFERENCE = /&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));?/giu;

/** A text as it is, and as a reader of the rendered one would copy it. */
export function formsOf(text: string): Set<string> {
  const letters = text.replace(REFERENCE, (whole, hex?: string, number?: string) => {
    const code = hex === undefined ? Number(number) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
  return new Set([text, letters.replace(BETWEEN, "")]);
}

/**
 * The same, with every secret in what reviewers and people said left out and named as what it is. Such words are in the log for
 * good: nobody could take them out again, so they are left out where they would leave the machine.
 */
export async function masked<T>(said: T): Promise<T> {
  return (await maskedIn(said, false)) as T;
}

async function maskedIn(value: unknown, isWords: boolean): Promise<unknown> {
  if (typeof value === "string") return isWords ? await maskedText(value) : value;
  if (Array.isArray(value)) return await Promise.all(value.map((one) => maskedIn(one, isWords)));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(async ([key, one]) => [key, await maskedIn(one, WORDS.includes(key))]);
  return Object.fromEntries(await Promise.all(entries));
}

/** A text without its secrets. */
export async function maskedText(text: string): Promise<string> {
  const { scanSecrets, SECRET_HINT } = await import("@anneal/adapters/builtin/reviewer");
  for (const form of formsOf(text)) {
    const secrets = SECRET_HINT.test(form) ? await scanSecrets(form, "text.md") : [];
    if (secrets.length === 0) continue;
    const without = secrets
      .toReversed()
      .reduce((rest, { start, end, what }) => `${rest.slice(0, start)}[${what} left out]${rest.slice(end)}`, form);
    // What is left may be one in another form.
    return without === text ? text : await maskedText(without);
  }
  return text;
}
