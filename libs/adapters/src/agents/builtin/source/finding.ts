import type { Finding } from "@anneal/types";
import { type BuiltinRule, type Found, LONGEST_LINE } from "./rule.ts";

/** What a rule found, as a finding; `hide`: what no finding of the file may show. */
export function toFinding(
  rule: BuiltinRule,
  seen: Found,
  file: string,
  hide: NonNullable<Found["hide"]> = [],
): Finding {
  const found = hidden(seen, hide);
  return {
    rule: rule.id,
    category: rule.category,
    severity: found.severity ?? rule.severity,
    title: found.title ?? rule.title,
    description: found.description,
    impact: rule.impact,
    suggestion: found.suggestion ?? rule.suggestion,
    file,
    ...(found.line !== undefined && { line: found.line }),
    ...(found.endLine !== undefined && { endLine: found.endLine }),
    ...(found.goneAt !== undefined && { goneAt: found.goneAt }),
    snippet: found.snippet,
  };
}

function hidden(found: Found, hide: NonNullable<Found["hide"]>): Found {
  const clean = (text: string) => hide.reduce((out, one) => (one.text ? out.replaceAll(one.text, one.as) : out), text);
  return { ...found, snippet: clipped(clean(found.snippet)), description: clean(found.description) };
}

/** A line of a minified or data file is shown around what was masked in it, not in full. */
function clipped(snippet: string): string {
  if (snippet.length <= LONGEST_LINE) return snippet;
  const start = Math.max(0, snippet.indexOf("****") - 100);
  return snippet.slice(start, start + 200);
}
