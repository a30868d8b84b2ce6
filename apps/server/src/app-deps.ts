import type { Clock } from "@anneal/adapters";
import type { SecretMask } from "@anneal/engine/evidence";
import type { Gate } from "./auth/gate.ts";
import type { Projects } from "./projects/projects.ts";
import type { LiveSettings } from "./settings/live-settings.ts";

/** What routes and the application around them are given. */
export interface AppDeps {
  gate: Gate;
  projects: Projects;
  settings: LiveSettings;
  /** Takes out of every answer what nobody may read. */
  mask: SecretMask;
  clock: Clock;
  /** Where it will listen. */
  address: { host: string; port: number; names?: readonly string[] };
  /** Requests a minute for each that is known, and for each address without credentials; none means no limit. */
  requestsPerMinute?: number | undefined;
  /** The folder of the built pages; without it the front door only says what is served. */
  pages: string | null;
  /** How often listeners to events get a sign of life, and have to give one. */
  beatMs?: number | undefined;
  /** One line for every change, without anything secret. */
  audit(line: string): void;
  /** An error that nobody foresaw. */
  onError(error: unknown): void;
}
