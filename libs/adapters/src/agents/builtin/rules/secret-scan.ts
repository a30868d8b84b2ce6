import { isPlaceholder, isPlaceholderAddress } from "./placeholder.ts";

/** A stretch of text that is a credential, and what kind it is. */
export interface Secret {
  start: number;
  end: number;
  what: string;
}

/** Every pattern of the scanner needs one of these, so a text without them is clean and the scanner stays unloaded. */
export const SECRET_HINT =
  /(?=[A-Za-z0-9+/=_-]*\d)[A-Za-z0-9+/=_-]{20,}|\bSG\.|\bxox[a-z]-|\bxapp-|\bhf_|:\/\/[^\s/]*:[^\s/]*@|_authToken|-----BEGIN|secret.?access.?key|hooks\.slack\.com|\bhv[sbr]\./i;

/** Credentials in a text, in order. What is obviously made up does not count. */
export async function scanSecrets(text: string, path: string): Promise<Secret[]> {
  const [{ lintSource }, { rules }] = await Promise.all([
    import("@secretlint/core"),
    import("@secretlint/secretlint-rule-preset-recommend"),
  ]);
  const { messages } = await lintSource({
    source: { content: text, filePath: path, contentType: "text" },
    options: { noPhysicFilePath: true, config: { rules: scanners(rules) } },
  });
  const known = messages
    .filter((message) => !NOT_SECRET.has(message.messageId))
    .map(({ range, data, ruleId }) => ({ ...placeOf(text, range, data), what: kindOf(ruleId) }))
    .filter(({ start, end }) => !madeUp(text.slice(start, end)));
  return merged([...known, ...privateKeys(text)]);
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
  return /^[\w+.-]+:\/\//.test(value) ? isPlaceholderAddress(value) : isPlaceholder(value);
}

/** A header with key material after it; a header alone is how code recognises keys. */
const PRIVATE_KEY =
  /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:\\n|\\r|\s|["'`+,])*(?:(?:Proc-Type|DEK-Info|Version|Comment):[^\n]*\s+)*[A-Za-z0-9+/]{40,}={0,2}(?:[A-Za-z0-9+/=\\"'`,\s]*-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----)?/g;

function privateKeys(text: string): Secret[] {
  return [...text.matchAll(PRIVATE_KEY)]
    .filter(([value]) => !isPlaceholder(value))
    .map((match) => ({ start: match.index, end: match.index + match[0].length, what: "private key" }));
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
