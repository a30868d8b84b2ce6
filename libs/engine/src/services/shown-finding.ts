import type { Finding, ReviewedFinding } from "@anneal/types";

/** A finding as reviews show it, without the gaps that JSON fills with null. */
export function findingOf({ category, severity, title, description, ...rest }: ReviewedFinding): Finding {
  const { file, line, endLine, suggestion } = rest;
  return {
    category,
    severity,
    title,
    description,
    ...(file === null ? {} : { file }),
    ...(line === null ? {} : { line }),
    ...(endLine === null ? {} : { endLine }),
    ...(suggestion === null ? {} : { suggestion }),
  };
}
