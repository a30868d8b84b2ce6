import type { EventFrame } from "@anneal/types";
import type { QueryClient } from "@tanstack/react-query";

/** How long events are gathered before the screens look again: a busy run must not make them look at every event. */
const GATHER_MS = 150;
/** What is counted over the whole log is looked at less often still. */
const COUNT_MS = 2_000;

const OF_LOOP = ["loop", "rounds", "round", "findings", "certificate", "pull-request", "file-matrix", "transcripts"];
const OF_PROJECT = ["items", "columns", "moves", "feature"];

const OF_SETTINGS = [
  "settings",
  "effective-settings",
  "prompts",
  "policies",
  "agents",
  "columns",
  "analytics",
  "notifications",
];

/** Makes stale what events have changed. */
export function freshness(queries: QueryClient): {
  tell(frame: Pick<EventFrame, "project" | "loop">): void;
  settings(): void;
  stop(): void;
} {
  const projects = new Set<string>();
  const loops = new Map<string, { project: string; loop: string }>();
  const counted = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let counting: ReturnType<typeof setTimeout> | undefined;

  const look = () => {
    timer = undefined;
    for (const project of projects)
      for (const what of OF_PROJECT) void queries.invalidateQueries({ queryKey: [what, project] });
    for (const { project, loop } of loops.values()) {
      for (const what of OF_LOOP) void queries.invalidateQueries({ queryKey: [what, project, loop] });
      // What lies between two rounds never changes; what reaches to the head does.
      for (const what of ["diff", "diff-files"])
        void queries.invalidateQueries({
          queryKey: [what, project, loop],
          predicate: ({ queryKey }) => queryKey[3] === "head" || queryKey[4] === "head",
        });
    }
    projects.clear();
    loops.clear();
  };

  const count = () => {
    counting = undefined;
    for (const project of counted) void queries.invalidateQueries({ queryKey: ["analytics", project] });
    counted.clear();
  };

  return {
    settings() {
      for (const what of OF_SETTINGS) void queries.invalidateQueries({ queryKey: [what] });
    },
    tell({ project, loop }) {
      projects.add(project);
      counted.add(project);
      if (loop !== "") loops.set(`${project} ${loop}`, { project, loop });
      timer ??= setTimeout(look, GATHER_MS);
      counting ??= setTimeout(count, COUNT_MS);
    },
    stop() {
      clearTimeout(timer);
      clearTimeout(counting);
    },
  };
}
