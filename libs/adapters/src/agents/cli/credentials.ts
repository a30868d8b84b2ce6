import type { AgentEvent, AgentRun } from "../../ports.ts";
import type { AgentSetup } from "./setup.ts";

/** Shorter values are words that a text may well hold by itself. */
const SHORTEST = 8;
/** The same for values whose variable does not say that they are secret. */
const SHORTEST_UNNAMED = 12;

/** Words and numbers are shorter than this. */
const LONGEST_WORD = 16;

type Env = Readonly<Record<string, string>>;
export type Clean = (text: string) => string;

/** Takes credentials that we hold out of a text, wherever they are in it. */
export function withoutCredentials(values: readonly string[]): Clean {
  const forms = formsOf(values);
  return (text) => forms.reduce((clean, form) => clean.replaceAll(form, "[redacted]"), text);
}

/** Whether a variable of this name holds a credential. */
export function isCredential(name: string): boolean {
  // Who wrote a commit is no secret.
  return /key|token|secret|password|passwd|credential|auth(?!or(?!i[sz]))/i.test(name);
}

/**
 * What is secret of the environment that an agent gets: whatever is called so, what opens a proxy or goes into a header,
 * and what the user handed over by name and is neither a path nor an address.
 */
export function secretsIn(env: Env, { passEnv = [], env: own = {} }: AgentSetup = {}): string[] {
  const handedOver = new Set([...passEnv, ...Object.keys(own)]);
  return Object.entries(env).flatMap(([name, value]) => [
    ...(isCredential(name) ? linesOf(value).filter((line) => !isPlainWord(line)) : []),
    ...(/headers?$/i.test(name) ? headerValues(value) : []),
    ...(handedOver.has(name) && isOpaque(name, value) ? linesOf(value) : []),
    ...afterScheme(value),
    ...inAddresses(value),
  ]);
}

/** A password such as `postgres` hides nothing, and everybody writes it: taken out, it would garble what people say. */
function isPlainWord(value: string): boolean {
  return value.length < LONGEST_WORD && /^(?:[a-z]+|[A-Z]+|[A-Z][a-z]+|\d+)$/.test(value);
}

/** A run with nothing secret in it, whatever the agent put into its answer. */
export function cleanedRun(run: AgentRun, clean: Clean): AgentRun {
  const { text, error, model, structured } = run;
  return {
    ...run,
    text: clean(text),
    ...(error === undefined ? {} : { error: clean(error) }),
    ...(model === undefined ? {} : { model: clean(model) }),
    ...(structured === undefined ? {} : { structured: cleanedDeep(structured, clean) }),
  };
}

/** Tells events with nothing secret in them. What an agent says in pieces waits while a secret may be beginning at its end. */
export function maskedEvents(
  values: readonly string[],
  tell: (event: AgentEvent) => void,
): { tell(event: AgentEvent): void; end(): void } {
  const clean = withoutCredentials(values);
  const forms = formsOf(values);
  const waiting: Record<"text" | "note", string[]> = { text: [], note: [] };
  const say = (kind: "text" | "note", pieces: string[]) => {
    for (const text of pieces) tell({ kind, text });
  };
  const flush = () => {
    for (const kind of ["text", "note"] as const) say(kind, waiting[kind].splice(0));
  };
  return {
    tell(event) {
      if (event.kind === "tool" || event.kind === "result") {
        flush();
        tell({ ...event, name: clean(event.name), detail: clean(event.detail) });
        return;
      }
      const pieces = joinedBySecret([...waiting[event.kind], clean(event.text)], clean);
      waiting[event.kind] = pieces.splice(endingIn(pieces, longestBeginning(pieces.join(""), forms)));
      say(event.kind, pieces);
    },
    end: flush,
  };
}

/** Pieces stay as they came, unless a secret goes over from one to the next. */
function joinedBySecret(pieces: string[], clean: Clean): string[] {
  const whole = pieces.join("");
  const cleaned = clean(whole);
  return cleaned === whole ? pieces : [cleaned];
}

/** The first of the pieces that hold the last characters. */
function endingIn(pieces: readonly string[], characters: number): number {
  let first = pieces.length;
  for (let left = characters; left > 0 && first > 0; left -= pieces[first]?.length ?? 0) first -= 1;
  return first;
}

/** How long the end of a text is that a secret could begin with. */
function longestBeginning(text: string, forms: readonly string[]): number {
  return Math.max(
    0,
    ...forms.map((form) => {
      for (let length = Math.min(form.length - 1, text.length); length > 0; length--) {
        if (text.endsWith(form.slice(0, length))) return length;
      }
      return 0;
    }),
  );
}

export function cleanedDeep(value: unknown, clean: Clean): unknown {
  if (typeof value === "string") return clean(value);
  if (Array.isArray(value)) return value.map((one) => cleanedDeep(one, clean));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [clean(key), cleanedDeep(one, clean)]));
}

/** Takes credentials out of bytes without moving anything: each is covered by as many stars. */
export function coveredCredentials(values: readonly string[]): { longest: number; cover(bytes: Buffer): Buffer } {
  const forms = formsOf(values).map((form) => Buffer.from(form));
  return {
    longest: Math.max(0, ...forms.map(({ length }) => length)),
    cover(bytes) {
      for (const form of forms)
        for (let at = bytes.indexOf(form); at >= 0; at = bytes.indexOf(form, at + form.length))
          bytes.fill("*", at, at + form.length);
      return bytes;
    },
  };
}

/** A secret as it looks plain, within JSON, within JSON inside of JSON, and in an address; longest first. */
function formsOf(values: readonly string[]): string[] {
  const known = new Set(values.filter((value) => value.length >= SHORTEST));
  const forms = [...known].flatMap((value) => {
    const inJson = escaped(value);
    return [value, inJson, escaped(inJson), inJson.replaceAll("/", "\\/"), percentEncoded(value)];
  });
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

function escaped(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

function percentEncoded(value: string): string {
  return encodeURIComponent(value.toWellFormed());
}

/** Programs report what they do by lines: a key of several is known by each that is long enough to be no word. */
function linesOf(value: string): string[] {
  const lines = value.split(/\r?\n/).map((line) => line.trim());
  return [value, value.trim(), ...(lines.length === 1 ? [] : lines.filter((line) => line.length >= SHORTEST_UNNAMED))];
}

function headerValues(value: string): string[] {
  return value.split(/\r?\n|\\n/).flatMap((line) => {
    const text = line.slice(line.indexOf(":") + 1).trim();
    return [text, text.replace(/^\w+\s+/, "")];
  });
}

function afterScheme(value: string): string[] {
  return [...value.matchAll(/\b(?:bearer|basic|token)\s+([^\s"',;]+)/gi)].map(([, secret = ""]) => secret);
}

/** Who opens a proxy or a gateway, as it stands in an address, and as it goes over the wire. */
function inAddresses(value: string): string[] {
  return [...value.matchAll(/[a-z][a-z0-9+.-]*:\/\/([^\s/@]*(?:@[^\s/@]*)*)@/gi)].flatMap(([, userinfo = ""]) => {
    const [user = "", ...rest] = userinfo.split(":");
    const password = rest.join(":");
    const plain = `${decoded(user)}:${decoded(password)}`;
    const wire = Buffer.from(plain).toString("base64");
    return [`${userinfo}@`, userinfo, plain, wire, ...(password === "" ? [user] : [password, decoded(password)])];
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Neither a path, nor an address, nor a setting of everyday life. */
function isOpaque(name: string, value: string): boolean {
  if (value.length < SHORTEST_UNNAMED || /model$|^git_(author|committer)_/i.test(name)) return false;
  return !/^(?:~?\/|\.{1,2}\/|[a-z]:\\|[a-z][a-z0-9+.-]*:\/\/[^\s@]*$)/i.test(value.trim());
}
