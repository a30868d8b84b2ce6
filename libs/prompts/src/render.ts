/** A template with its placeholders replaced, and everything about it that a person may want to know. */
export interface Rendered {
  text: string;
  /** Placeholders that nobody knows; they stay in the text as they are. */
  unknown: string[];
  /** Variables that the template does not mention. */
  unused: string[];
  /** One sentence for each variable that is known but has no value. */
  notes: string[];
}

/** A placeholder that a template must not use, and where it stands (both counted from 1). */
export interface UnknownVariable {
  name: string;
  line: number;
  column: number;
}

/** Exactly `{` + identifier + `}`: braces of JSON and code are text. */
const placeholder = /\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** Replaces `{name}` by its value in a single pass, so that braces inside of values are never expanded. */
export function render(template: string, variables: Readonly<Record<string, string | undefined>>): Rendered {
  const used = new Set<string>();
  const unknown = new Set<string>();
  const empty = new Set<string>();
  const text = template.replace(placeholder, (whole, name: string) => {
    if (!Object.hasOwn(variables, name)) {
      unknown.add(name);
      return whole;
    }
    used.add(name);
    const value = variables[name];
    if (value === undefined || value === "") empty.add(name);
    return value ?? "";
  });
  return {
    text,
    unknown: [...unknown],
    unused: Object.keys(variables).filter((name) => !used.has(name)),
    notes: [...empty].map((name) => `{${name}} has no value here and was left empty.`),
  };
}

/** The names that a template mentions, in order of first appearance. */
export function placeholders(template: string): string[] {
  return [...new Set([...template.matchAll(placeholder)].map((match) => match[1] ?? ""))];
}

/** Every use of a variable that is not allowed, for an editor to underline. */
export function lintTemplate(template: string, allowed: readonly string[]): UnknownVariable[] {
  const known = new Set(allowed);
  return template
    .split(/\r\n|\r|\n/)
    .flatMap((text, index) =>
      [...text.matchAll(placeholder)].map((match) => ({
        name: match[1] ?? "",
        line: index + 1,
        column: match.index + 1,
      })),
    )
    .filter((variable) => !known.has(variable.name));
}
