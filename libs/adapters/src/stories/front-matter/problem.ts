import { describeIssues } from "@anneal/types";

/** Something wrong with a work item's file, at the location where a person can correct it. */
export interface FileProblem {
  file: string;
  /** Counted from one. */
  line: number;
  message: string;
}

export function problemText({ file, line, message }: FileProblem): string {
  return `${file}:${line}: ${message}`;
}

type SchemaError = Parameters<typeof describeIssues>[0];

/** One problem for each value that a schema refuses, at the line where that value stands. */
export function schemaProblems(
  file: string,
  error: SchemaError,
  lineOf: (path: readonly PropertyKey[]) => number,
): FileProblem[] {
  const messages = describeIssues(error);
  return error.issues.map((issue, index) => ({ file, line: lineOf(issue.path), message: messages[index] ?? "" }));
}
