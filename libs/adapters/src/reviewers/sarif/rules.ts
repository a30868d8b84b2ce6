import { at, type Json, list, number, text } from "./json.ts";

/** Finds the rule that a result is of. */
export type RuleBook = (result: Json) => Json | undefined;

export function ruleBook(run: Json): RuleBook {
  const books = new Map<number | undefined, Component>();
  return (result) => {
    const component = number(at(result, "rule", "toolComponent", "index"));
    const book = books.get(component) ?? componentOf(run, component);
    books.set(component, book);
    const index = number(at(result, "ruleIndex")) ?? number(at(result, "rule", "index"));
    if (index !== undefined && index >= 0) return book.rules[index];
    const id = text(at(result, "ruleId")) ?? text(at(result, "rule", "id"));
    return id === undefined ? undefined : named(id, book);
  };
}

interface Component {
  rules: Json[];
  byId: Map<string, Json>;
}

function componentOf(run: Json, extension: number | undefined): Component {
  const rules = list(
    extension === undefined ? at(run, "tool", "driver", "rules") : at(run, "tool", "extensions", extension, "rules"),
  );
  const byId = new Map<string, Json>();
  for (const rule of rules) {
    const id = text(at(rule, "id"));
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
