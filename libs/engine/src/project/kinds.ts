import { branchKind } from "./branches.ts";
import { featureKind } from "./features.ts";
import type { ItemKind, Kinds } from "./kind.ts";
import type { ProjectParts } from "./prepare.ts";

/** Every kind of work item that a project can hold. */
export function kindsOf(parts: ProjectParts): Kinds {
  const notYet: ItemKind = {
    entries: async () => [],
    prepare: async (id) => {
      throw new Error(`${id} is of a kind that cannot be run`);
    },
    project: async () => {},
  };
  return {
    feature: featureKind(parts),
    branch: branchKind(parts),
    ticket: notYet,
    story: notYet,
    unit: notYet,
  };
}
