import { rm } from "node:fs/promises";
import type { Repo } from "@anneal/git";
import { endLeftovers } from "@anneal/system/processes/leftovers";
import { ownTemporary, removeAbandoned } from "@anneal/system/processes/temporary";
import type { Policy } from "@anneal/types";
import { forgetCopy } from "@anneal/workspace/reading/reading-copies";
import { type Hidden, readingCopy } from "@anneal/workspace/reading-copy";
import type { ReviewCopies } from "./review-copies.ts";

/** What a change is called where nothing but the change is to be seen. */
export interface ChangeNames {
  title: string;
  branch: string;
  /** The branch that it goes into, where that is known. */
  baseBranch?: string | undefined;
  /** What else is kept from readers, besides the files of the product itself. */
  hidden?: Hidden;
}

/** Where the reviewers of a policy read: those that are to know nothing of earlier rounds have a repository that knows nothing of them. */
export function copiesFor(policy: Policy, place: ReviewCopies, names: ChangeNames): ReviewCopies {
  if (policy.pass.earlierFindings !== "fresh" || place.source === undefined) return place;
  return squashedCopies(place.source, names);
}

/** A repository for each reading, which shows the base and the change as one commit, and is thrown away after it. */
export function squashedCopies(main: Repo, { title, branch, baseBranch, hidden }: ChangeNames): ReviewCopies {
  let cleared: Promise<unknown> | undefined;
  return {
    async lend(head, work, base) {
      if (base === undefined) throw new Error("a fresh reviewer reads a change, and this one has no base");
      cleared ??= removeAbandoned().catch(() => []);
      await cleared;
      const path = await ownTemporary("review");
      try {
        const request = { path, base, head, branch, baseBranch, message: title, hidden: withOwnFiles(hidden) };
        const { repo, shown } = await readingCopy(main, request);
        return await work(repo, shown);
      } finally {
        endLeftovers(path);
        forgetCopy(path);
        // What cannot be removed goes with what killed reviews left; it must not take the answer along.
        await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
      }
    },
    source: main,
  };
}

const OWN = ".automaker";

/** What a change does to the product's own files is part of the change, and judged. */
function withOwnFiles(besides: Hidden = { within: [], hides: () => false }): Hidden {
  return {
    within: [OWN, ...besides.within],
    hides: (path, how) => (isOwn(path) ? how === "as-before" : besides.hides(path, how)),
  };
}

function isOwn(path: string): boolean {
  return path.toLowerCase().startsWith(`${OWN}/`);
}
