import { isPlaceholder, isPlaceholderAddress } from "./placeholder.ts";

/** A stretch of text that is a credential, and what kind it is. */
export interface Secret {
  start: number;
  end: number;
  what: string;
}

/** Every pattern of the scanner needs one of these, so a text without them does not load it. */
const SCANNER_HINT =
  /(?=[A-Za-z0-9+/=_-]*\d)[A-Za-z0-9+/=_-]{20,}|\bSG\.|\bxox[a-z]-|\bxapp-|\bhf_|:\/\/[^\s/]*:[^\s/]*@|_authToken|-----BEGIN|secret.?access.?key|hooks\.slack\.com|\bhv[sbr]\./i;

/** A text without any of these is clean. */
export const SECRET_HINT = new RegExp(
  `${SCANNER_HINT.source}|secret|token|api.?key|access.?key|passw|passphrase|credential`,
  "i",
);

/** Credentials in a text, in order. What is obviously made up does not count. */
export async function scanSecrets(text: string, path: string): Promise<Secret[]> {
  const known = SCANNER_HINT.test(text) ? await scanKnown(text, path) : [];
  return merged([...known, ...privateKeys(text), ...namedCredentials(text), ...otherShapes(text)]);
}

async function scanKnown(text: string, path: string): Promise<Secret[]> {
  const [{ lintSource }, { rules }] = await Promise.all([
    import("@secretlint/core"),
    import("@secretlint/secretlint-rule-preset-recommend"),
  ]);
  const { messages } = await lintSource({
    source: { content: text, filePath: path, contentType: "text" },
    options: { noPhysicFilePath: true, config: { rules: scanners(rules) } },
  });
  return messages
    .filter((message) => !NOT_SECRET.has(message.messageId))
    .map(({ range, data, ruleId }) => ({ ...placeOf(text, range, data), what: kindOf(ruleId) }))
    .filter(({ start, end }) => !madeUp(text.slice(start, end)));
}

const NOT_SECRET = new Set(["AWSAccountID"]);

/** Some rules report the place of the variable's name: the value itself is what has to be masked. */
function placeOf(text: string, [from, to]: readonly number[], data: unknown): { start: number; end: number } {
  const values = typeof data === "object" && data !== null ? Object.values(data) : [];
  const value = values.filter((one) => typeof one === "string").sort((a, b) => b.length - a.length)[0] ?? "";
  const start = value ? text.indexOf(value, from) : -1;
  return start < 0 ? { start: from ?? 0, end: to ?? text.length } : { start, end: start + value.length };
}

/** The scanner's own off switch is a comment in the scanned text: whoever adds a secret could add that too. */
function scanners<R extends { meta: { id: string } }>(rules: R[]): { id: string; rule: R; options: object }[] {
  return rules
    .filter((rule) => !rule.meta.id.endsWith("filter-comments"))
    .map((rule) => ({
      id: rule.meta.id,
      rule,
      options: rule.meta.id.endsWith("-aws") ? { enableIDScanRule: true } : {},
    }));
}

const KINDS: Record<string, string> = {
  aws: "AWS key",
  gcp: "Google Cloud key",
  npm: "npm token",
  basicauth: "password in a URL",
  privatekey: "private key",
  "database-connection-string": "database password",
  github: "GitHub token",
  gitlab: "GitLab token",
  openai: "OpenAI key",
  "hashicorp-vault": "Vault token",
};

function kindOf(ruleId: string): string {
  const name = ruleId.replace(/^.*secretlint-rule-/, "");
  return KINDS[name] ?? `${name[0]?.toUpperCase()}${name.slice(1)} credential`;
}

function madeUp(value: string): boolean {
  if (/^[\w+.-]+:\/\//.test(value)) return isPlaceholderAddress(value);
  // Words with dashes between them look like a key to the scanner; real ones have digits or one long run.
  return isPlaceholder(value) || !/\d|[A-Za-z]{20,}/.test(value);
}

/** A header with key material after it; a header alone is how code recognises keys. */
const PRIVATE_KEY =
  /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:\\n|\\r|\s|["'`+,])*(?:(?:Proc-Type|DEK-Info|Version|Comment):[^\n]*\s+)*[A-Za-z0-9+/]{40,}={0,2}(?:[A-Za-z0-9+/=\\"'`,\s]*-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----)?/g;

function privateKeys(text: string): Secret[] {
  return [...text.matchAll(PRIVATE_KEY)]
    .filter(([value]) => !isPlaceholder(value))
    .map((match) => ({ start: match.index, end: match.index + match[0].length, what: "private key" }));
}

/** Keys that the scanner's own patterns do not take in every form. */
const SHAPES: [RegExp, string][] = [
  [/\bAIza[0-9A-Za-z_-]{35}(?![0-9A-Za-z_-])/g, "Google API key"],
  [/\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{32,}(?![A-Za-z0-9_-])/g, "OpenAI key"],
];

function otherShapes(text: string): Secret[] {
  return SHAPES.flatMap(([shape, what]) =>
    [...text.matchAll(shape)]
      .filter(([value]) => !madeUp(value) && /\d/.test(value) && /[A-Z]/.test(value))
      .map((match) => ({ start: match.index, end: match.index + match[0].length, what })),
  );
}

/** A literal that is given to something called a secret, and is too random to be a word. */
const NAMED =
  /\b[\w.-]*(?:secret|token|api[_-]?key|access[_-]?key|private[_-]?key|passw(?:or)?d|passphrase|credential)[\w-]*["'\]]?\s*(?::|=>?|:=)\s*["'`]([^"'`\s]{16,200})["'`]/gi;

function namedCredentials(text: string): Secret[] {
  return [...text.matchAll(NAMED)].flatMap((match) => {
    const [whole, value = ""] = match;
    if (isPlaceholder(value) || !looksRandom(value)) return [];
    const start = match.index + whole.lastIndexOf(value);
    return [{ start, end: start + value.length, what: "credential" }];
  });
}

/** Letters and digits mixed, and more variety than prose or identifiers of that length have. */
function looksRandom(value: string): boolean {
  if (!/^[\w+/=.~!@#$%^&*-]+$/.test(value) || !/\d/.test(value) || !/[a-zA-Z]/.test(value)) return false;
  const counts = new Map<string, number>();
  for (const char of value) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  const switches = value.match(/\d[a-zA-Z]|[a-zA-Z]\d/g)?.length ?? 0;
  return bits >= 3.5 && switches >= 3;
}

/** Two rules may see one secret: overlapping stretches are one. */
function merged(secrets: Secret[]): Secret[] {
  const out: Secret[] = [];
  for (const secret of secrets.sort((a, b) => a.start - b.start)) {
    const before = out.at(-1);
    if (before && secret.start < before.end) before.end = Math.max(before.end, secret.end);
    else out.push({ ...secret });
  }
  return out;
}
