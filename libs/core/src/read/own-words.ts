import { unreadable } from "./answer.ts";
import { clausesOf, clausesOfText } from "./clauses.ts";
import { grave, objection } from "./dissent.ts";
import type { Line } from "./markdown.ts";

/** What a passing answer says in free prose: around its form, and inside of it. */
export interface OwnWords {
  prose: readonly Line[];
  texts?: readonly string[];
}

/** A pass whose own prose speaks against it, or names something grave outside of its list, is no pass. */
export function refuseDissent({ prose, texts = [] }: OwnWords): void {
  const clauses = [...clausesOf(prose), ...texts.flatMap(clausesOfText)];
  const against = objection(clauses) ?? grave(clauses);
  if (against !== undefined) unreadable(`The answer claims a pass, but it also says "${against.slice(0, 60)}".`);
}
