import type { ApiFinding } from "@anneal/types";
import type { LineComment } from "../../../store/review-store.ts";
import type { Pin } from "../../diff/diff-view.tsx";
import { fixPlace } from "./fix-place.ts";

/** What hangs on the lines of a diff. */
export type Pinned =
  | { kind: "finding"; one: ApiFinding }
  | { kind: "comment"; comment: LineComment }
  | { kind: "writing"; comment: LineComment };

interface Source {
  findings: readonly ApiFinding[];
  /** The finding that is looked at. */
  chosen: string | null;
  /** The end of the diff that is shown. */
  to: string;
  comments: readonly LineComment[];
  writing: LineComment | null;
}

/** Open findings where they were seen, the chosen one where it was fixed, and what people write. */
export function pinsOf({ findings, chosen, to, comments, writing }: Source): Pin<Pinned>[] {
  return [
    ...findings.flatMap((one) => findingPin(one, chosen, to)),
    ...comments.map((comment) => linePin({ kind: "comment", comment })),
    ...(writing === null ? [] : [linePin({ kind: "writing", comment: writing })]),
  ];
}

function findingPin(one: ApiFinding, chosen: string | null, to: string): Pin<Pinned>[] {
  const { fingerprint, finding, disposition } = one;
  const pin = { key: `finding ${fingerprint}`, side: "new" as const, of: { kind: "finding" as const, one } };
  if (disposition.kind === "open")
    return finding.file === undefined || finding.line === undefined
      ? []
      : [{ ...pin, file: finding.file, line: finding.line }];
  const fixed = fingerprint === chosen ? fixPlace(one) : null;
  if (fixed?.to !== to || fixed.file === undefined || fixed.line === undefined) return [];
  return [{ ...pin, file: fixed.file, line: fixed.line }];
}

function linePin(of: Extract<Pinned, { comment: LineComment }>): Pin<Pinned> {
  const { id, file, line, side } = of.comment;
  return { key: `${of.kind} ${id}`, file, line, side, of };
}
