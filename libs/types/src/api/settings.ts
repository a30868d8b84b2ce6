import { z } from "zod";
import { ProjectId } from "./project-id.ts";

/** Stands where a secret is set; sent back in a change, the secret stays as it is. */
export const SECRET_SET = "(set, not shown)";

/** Which of the two settings files. */
export const ApiSettingsScope = z.enum(["global", "project"]);
export type ApiSettingsScope = z.infer<typeof ApiSettingsScope>;

/** One thing that is wrong with a settings file. */
export const ApiSettingsProblem = z.object({ path: z.string(), message: z.string() });

/** One settings file. Its ETag is needed to change it. */
export const ApiSettings = z.object({
  scope: ApiSettingsScope,
  /** Where it lies. */
  file: z.string(),
  /** Whether there is one; without it nothing is said, and the next level holds. */
  exists: z.boolean(),
  /** The ETag, without its quotes. */
  version: z.string(),
  /** What the file says, keys of other tools included, secrets as `(set, not shown)`; null where it is not JSON. */
  settings: z.record(z.string(), z.unknown()).nullable(),
  /** What Anneal takes of it: in place of a bad value the last good one that this server has seen. */
  inForce: z.record(z.string(), z.unknown()),
  /** What is wrong with the file and has to be mended in it; null where nothing is. */
  problem: z.string().nullable(),
  problems: z.array(ApiSettingsProblem),
  /** Whether no new loop starts until it is mended, because a value that judges, spends or runs something is bad. */
  stopsLoops: z.boolean(),
});
export type ApiSettings = z.infer<typeof ApiSettings>;

/** Said on the event stream when settings have changed, whoever changed them. It is in no log and is never repeated. */
export const SettingsFrame = z.object({
  type: z.literal("settings:changed"),
  project: ProjectId,
  payload: z.object({ scope: ApiSettingsScope }),
});
export type SettingsFrame = z.infer<typeof SettingsFrame>;

/** A change to a settings file as a JSON merge patch: what it leaves out stays, null takes a key away. */
export const ApiSettingsPatch = z.record(z.string(), z.unknown());
export type ApiSettingsPatch = z.infer<typeof ApiSettingsPatch>;

/** Where a value comes from. */
export const ApiSettingSource = z.enum(["project", "global", "default"]);
export type ApiSettingSource = z.infer<typeof ApiSettingSource>;

/** One value that holds for a project. */
export const ApiEffectiveSetting = z.object({
  /** As in `reviewLoop.maxIterations`. */
  path: z.string(),
  /** Secrets as `(set, not shown)`. */
  value: z.unknown(),
  from: ApiSettingSource,
});
export type ApiEffectiveSetting = z.infer<typeof ApiEffectiveSetting>;

/** All that holds for a project: the project's word over the global one over the default. */
export const ApiEffectiveSettings = z.object({
  values: z.array(ApiEffectiveSetting),
  /** One line for each value that does not hold: file, location, key, and what is allowed there. */
  problems: z.array(z.string()),
});
export type ApiEffectiveSettings = z.infer<typeof ApiEffectiveSettings>;
