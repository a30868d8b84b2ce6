import { readdirSync, readFileSync } from "node:fs";
import type { Finding } from "@anneal/types";

/** Findings of an earlier and a later look, with which of them a careful person calls the same. */
export interface Scenario {
  id: string;
  /** One reviewer over two rounds, or two reviewers of one state. */
  kind: "rounds" | "reviewers";
  before: Record<string, string>;
  after: Record<string, string>;
  renames: Record<string, string>;
  earlier: Earlier[];
  later: Later[];
}
export type Earlier = Finding & { key: string };
export type Later = Finding & {
  /** The earlier findings that it is; null for a defect of its own. */
  same: string | string[] | null;
  nearMissOf?: string;
  words?: "equal" | "light" | "heavy";
  drift?: string[];
};

const FOLDER = new URL("scenarios/", import.meta.url);

export function scenarios(folder: URL = FOLDER): Scenario[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => JSON.parse(readFileSync(new URL(name, folder), "utf8")));
}

export function keysOf({ same }: Later): string[] {
  return same === null ? [] : [same].flat();
}

/** What a reviewer said, without what a person said of it. */
export function findingOf(said: Earlier | Later): Finding {
  const { category, severity, title, description, suggestion, file, line, endLine } = said;
  return {
    category,
    severity,
    title,
    description,
    ...(suggestion === undefined ? {} : { suggestion }),
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
    ...(endLine === undefined ? {} : { endLine }),
  };
}
