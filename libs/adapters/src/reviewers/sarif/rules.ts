import { type Json, listOf, numberOf, textOf, valueAt } from "./json.ts";

/** Finds the rule that a result is of. */
export type RuleBook = (result: Json) => Json | undefined;

export function ruleBook(run: Json): RuleBook {
  const books = new Map<number | undefined, Component>();
  return (result) => {
    const component = numberOf(valueAt(result, "rule", "toolComponent", "index"));
    const book = books.get(component) ?? componentOf(run, component);
    books.set(component, book);
    const index = numberOf(valueAt(result, "ruleIndex")) ?? numberOf(valueAt(result, "rule", "index"));
    if (index !== undefined && index >= 0) return book.rules[index];
    const id = textOf(valueAt(result, "ruleId")) ?? textOf(valueAt(result, "rule", "id"));
    return id === undefined ? undefined : named(id, book);
  };
}

interface Component {
  rules: Json[];
  byId: Map<string, Json>;
}

function componentOf(run: Json, extension: number | undefined): Component {
  const rules = listOf(
    extension === undefined
      ? valueAt(run, "tool", "driver", "rules")
      : valueAt(run, "tool", "extensions", extension, "rules"),
  );
  const byId = new Map<string, Json>();
  for (const rule of rules) {
    const id = textOf(valueAt(rule, "id"));
    if (id !== undefined && !byId.has(id)) byId.set(id, rule);
  }
  return { rules, byId };
}

/** An id such as CA1000/1 is a case of the rule CA1000. */
function named(id: string, { byId }: Component): Json | undefined {
  for (let rest = id; rest !== ""; rest = rest.slice(0, Math.max(rest.lastIndexOf("/"), 0))) {
    const rule = byId.get(rest);
    if (rule !== undefined) return rule;
  }
  return undefined;
}
