import { branchKind } from "./branches.ts";
import { featureKind } from "./features.ts";
import type { ItemKind, Kinds } from "./kind.ts";
import type { ProjectParts } from "./prepare.ts";
import { storyKind } from "./stories.ts";
import { unitKind } from "./units.ts";

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
    story: storyKind(parts),
    unit: unitKind(parts),
  };
}
