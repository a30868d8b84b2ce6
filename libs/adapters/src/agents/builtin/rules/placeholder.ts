/** Whether a value that looks like a credential is obviously made up, so that it opens nothing. */
export function isPlaceholder(value: string): boolean {
  const core = value.replace(/^-----BEGIN[^-]*-----/, "");
  if (WORDS.test(core) || REFERENCE.test(core)) return true;
  const tail = core.slice(core.search(/[_-](?=[^_-]*$)/) + 1);
  return /(.)\1{5,}/.test(core) || (tail.length >= 8 && new Set(tail).size <= 4);
}

const WORDS =
  /example|sample|changeme|change[-_]me|dummy|placeholder|redacted|your[-_]?(?:api|token|key|secret|password|access|own)|x{6,}|fake|not[-_]?(?:a[-_])?real|foo[-_]?bar|deadbeef|lorem/i;

const REFERENCE = /process\.env|os\.environ|import\.meta|\$\{|\{\{|\$[A-Z(]|<[a-z][^>]*>|%[sd(]|\*\*\*/i;

const TRIVIAL =
  /^(pass(word|wd)?|secret|postgres(ql)?|root|admin|user(name)?|test(ing|er)?|guest|mysql|mongo(db)?|redis|dev|local|demo|example|default|pw|pwd|foo|bar|baz|changeme|hunter2|s3cret|1234\d*|abc(123)?|token|key|x+|p)$/i;

const LOCAL =
  /^(localhost|127\.|0\.0\.0\.0|\[?::1|host\.docker\.internal|[\w-]+(:\d+)?$)|(^|\.)(example|test|invalid|local|localhost)(\.(com|org|net))?(:\d+)?$/i;

/** A password in an address is made up when it is a word everyone uses, or when the host is not a real one. */
export function isPlaceholderAddress(address: string): boolean {
  const parts = /^[\w+.-]+:\/\/([^:/\s]*):([^@/\s]*)@([^/\s?'"`)]*)/.exec(address);
  if (!parts) return isPlaceholder(address);
  const [, user = "", password = "", host = ""] = parts;
  return TRIVIAL.test(password) || password === user || LOCAL.test(host) || isPlaceholder(address);
}
