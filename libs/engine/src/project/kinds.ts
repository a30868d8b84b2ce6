import { branchKind } from "./branches.ts";
import { featureKind } from "./features.ts";
import type { Kinds } from "./kind.ts";
import type { ProjectParts } from "./prepare.ts";
import { storyKind } from "./stories/stories.ts";
import { epicKinds } from "./tickets/tickets.ts";
import { unitKind } from "./units/units.ts";

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
