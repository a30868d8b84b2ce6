import type { ApiFinding, ApiPullRequest } from "@anneal/types";
import type { LineComment } from "../../../../store/review-store.ts";
import type { Pin } from "../../../diff/diff-view.tsx";
import { fixPlace } from "../findings/fix-place.ts";

type Request = ApiPullRequest["requests"][number];

/** What hangs on the lines of a diff. */
export type Pinned =
  | { kind: "finding"; one: ApiFinding }
  | { kind: "request"; one: Request }
  | { kind: "comment"; comment: LineComment }
  | { kind: "writing"; comment: LineComment };

interface Source {
  findings: readonly ApiFinding[];
  /** What the pull request asks of the head. */
  requests: readonly Request[];
  /** The finding that is looked at. */
  chosen: string | null;
  /** The end of the diff that is shown. */
  to: string;
  comments: readonly LineComment[];
  writing: LineComment | null;
}

/** Open findings where they were seen, what the pull request asks for, the chosen one where it was fixed, and what people write. */
export function pinsOf({ findings, requests, chosen, to, comments, writing }: Source): Pin<Pinned>[] {
  return [
    ...findings.flatMap((one) => findingPin(one, chosen, to)),
    ...(to === "head" ? requests.flatMap(requestPin) : []),
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

function requestPin(one: Request): Pin<Pinned>[] {
  const { source, sourceId, file, line } = one;
  if (file === null || line === null) return [];
  return [{ key: `request ${source} ${sourceId}`, file, line, side: "new", of: { kind: "request", one } }];
}

function linePin(of: Extract<Pinned, { comment: LineComment }>): Pin<Pinned> {
  const { id, file, line, side } = of.comment;
  return { key: `${of.kind} ${id}`, file, line, side, of };
}
