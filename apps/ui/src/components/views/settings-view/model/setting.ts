/** How a value is asked for. */
export type Control =
  | { kind: "switch" }
  | { kind: "number"; min: number; max?: number; isWhole: boolean; unit: string; per?: number }
  | { kind: "text"; example?: string }
  | { kind: "command" }
  | { kind: "lines"; example?: string }
  | { kind: "choice"; options: readonly Option[] }
  | { kind: "several"; options: readonly Option[] }
  | { kind: "prompt" }
  | { kind: "json" };

export interface Option {
  value: string;
  label: string;
}

/** One value of a settings file that people can change here. */
export interface Setting {
  /** As in `reviewLoop.maxIterations`. */
  path: string;
  label: string;
  help: string;
  control: Control;
  /** What holds where no file says anything; undefined where nothing does. */
  fallback?: unknown;
  /** The only file that can say it. */
  only?: Scope;
}

export type Scope = "global" | "project";
export type Values = Readonly<Record<string, unknown>>;
