/** Shorter values are words that a text may well hold by itself. */
const SHORTEST = 8;

/** Takes credentials that we hold out of a text, wherever they stand in it. */
export function withoutCredentials(values: readonly string[]): (text: string) => string {
  const known = [...new Set(values)].filter((value) => value.length >= SHORTEST).sort((a, b) => b.length - a.length);
  // A key with quotes or backslashes in it looks different inside JSON.
  const forms = known.flatMap((value) => [value, JSON.stringify(value).slice(1, -1)]);
  return (text) => forms.reduce((clean, form) => clean.replaceAll(form, "[redacted]"), text);
}

/** Whether a variable of this name holds a credential. */
export function isCredential(name: string): boolean {
  return /key|token|secret|password|passwd|credential|auth/i.test(name);
}
