import { channelProblems, type NotifySettings } from "@anneal/engine/notify";
import { DEFAULT_REVIEW_LOOP_CONFIG, GlobalSettings, ProjectSettings } from "@anneal/types";
import { RequestProblem } from "../problem.ts";
import type { SettingsPlace } from "./live-settings.ts";

/** Refuses settings that would name a channel which cannot be used, each with what is missing. What was wrong before may stay. */
export function refuseUnusableChannels(
  { scope }: Pick<SettingsPlace, "scope">,
  global: GlobalSettings,
  { next, current }: { next: unknown; current: unknown },
): void {
  const problemsIn = (values: unknown) => {
    const settings = scope === "global" ? both(values, {}) : both(global, values);
    return settings === null ? [] : channelProblems(settings);
  };
  const before = problemsIn(current);
  const problems = problemsIn(next)
    .filter((line) => !before.includes(line))
    .map((line) => ({ path: line.slice(0, line.indexOf(": ")), message: line.slice(line.indexOf(": ") + 2) }));
  const [first] = problems;
  if (first !== undefined)
    throw new RequestProblem("bad-request", `${first.path}: ${first.message}; nothing was changed`, problems);
}

/** Null where a file is not valid in the first place, which is refused with better words. */
function both(everywhere: unknown, own: unknown): NotifySettings | null {
  const global = GlobalSettings.safeParse(everywhere);
  const project = ProjectSettings.safeParse(own);
  if (!global.success || !project.success) return null;
  const [near, far] = [project.data.reviewLoop, global.data.reviewLoop];
  const { notifyOnReady, notificationChannels } = DEFAULT_REVIEW_LOOP_CONFIG;
  const reviewLoop = {
    notifyOnReady: near?.notifyOnReady ?? far?.notifyOnReady ?? notifyOnReady,
    notificationChannels: near?.notificationChannels ?? far?.notificationChannels ?? notificationChannels,
  };
  return { global: global.data, project: project.data, settings: { reviewLoop } };
}
