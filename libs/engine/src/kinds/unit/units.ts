import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ItemKind } from "../../items/kind.ts";
import type { ProjectParts } from "../../items/prepare.ts";

/**
 * Units: `specs/tasks/{unit}/`, each in a workspace and on a branch of its own, merged into the feature branch.
 * What reads their files is loaded only where there are some.
 */
export function unitKind(parts: ProjectParts): ItemKind {
  const { root } = parts.repo;
  return {
    entries: async () =>
      existsSync(join(root, "specs", "tasks")) ? await (await import("./files.ts")).unitEntries(root) : [],
    prepare: async (id, request) => await (await import("./prepare.ts")).prepareUnit(parts, id, request),
    project: async (about, state, since) => await (await import("./files.ts")).projectUnit(parts, about, state, since),
  };
}
