import { isAbsolute, resolve } from "node:path";
import type { LoadedSettings } from "@anneal/adapters/files";
import type { Cast } from "../assemble.ts";
import { UsageError } from "../errors.ts";

export const PARTS = ["implementer", "reviewer", "fixer"] as const satisfies (keyof Cast)[];

/** Agents that are named with a file. */
const WITH_FILE = ["scripted:", "replay:"];

/** Makes the file in an agent's name mean the same wherever the loop goes on. */
export function anchored(name: string, folder: string): string {
  const prefix = WITH_FILE.find((one) => name.startsWith(one));
  if (prefix === undefined) return name;
  const file = name.slice(prefix.length);
  return file === "" || isAbsolute(file) ? name : `${prefix}${resolve(folder, file)}`;
}

/** The agents that the settings name, the project's over the global ones. */
export function castOfSettings({ project, global }: LoadedSettings, root: string): Partial<Cast> {
  const named = { ...global.agents, ...project.agents };
  const entries = PARTS.flatMap((part) => {
    const name = named[part];
    return name === undefined ? [] : [[part, anchored(name, root)]];
  });
  return Object.fromEntries(entries);
}

/** Who plays in one loop: what this run was told, over what the loop is bound to, over the settings. */
export function castFor(
  told: Partial<Cast>,
  bound: Readonly<Record<string, string>> | undefined,
  settings: Partial<Cast>,
): Cast {
  const cast = { ...settings, ...bound, ...told };
  const { implementer, reviewer, fixer } = cast;
  if (implementer !== undefined && reviewer !== undefined && fixer !== undefined)
    return { implementer, reviewer, fixer };
  const missing = PARTS.filter((part) => cast[part] === undefined).join(", ");
  throw new UsageError(
    `no agent is set for: ${missing}. Name them with --agent (or --implementer, --reviewer, --fixer), or once for the project in .automaker/settings.json as "agents": {"implementer": "…", "reviewer": "…", "fixer": "…"}`,
  );
}
