import type { Kinds } from "../items/kind.ts";
import type { ProjectParts } from "../items/prepare.ts";
import { branchKind } from "./branch/branches.ts";
import { featureKind } from "./feature/features.ts";
import { storyKind } from "./story/stories.ts";
import { epicKinds } from "./ticket/tickets.ts";
import { unitKind } from "./unit/units.ts";

/** Every kind of work item that a project can hold. */
export function kindsOf(parts: ProjectParts): Kinds {
  return {
    feature: featureKind(parts),
    branch: branchKind(parts),
    ...epicKinds(parts),
    story: storyKind(parts),
    unit: unitKind(parts),
  };
}
