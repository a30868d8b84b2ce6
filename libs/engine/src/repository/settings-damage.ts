import type { LoadedSettings } from "@anneal/adapters/files";
import { UsageError } from "../errors/errors.ts";

export interface SettingsProblem {
  /** From the top of the project; the user's own settings by their whole path. */
  file: string;
  /** Counted from one. */
  line: number;
  message: string;
}

/** Settings that neither judge, nor spend, nor decide who plays. */
const HARMLESS = /: (maxConcurrency|useWorktrees|phaseModels|projects|analytics)\b/;

/** Whether nothing starts while this is wrong with the settings. */
export function stopsLoops(problem: string): boolean {
  return !HARMLESS.test(problem);
}

/** What is wrong with the settings so that nothing starts: a cap or a test command that cannot be read would be none. */
export function settingsDamage({ problems }: Pick<LoadedSettings, "problems">, root: string): SettingsProblem | null {
  const damage = problems.find(stopsLoops);
  return damage === undefined ? null : placed(damage, root);
}

function placed(damage: string, root: string): SettingsProblem {
  const [, path = "", line = "1", message = damage] = /^(.*?):(\d+)(?::\d+)?: (.*)$/s.exec(damage) ?? [];
  return { file: fromTop(path, root), line: Number(line), message: `${message}; nothing runs until you fix it` };
}

/** The same words for each of what is wrong. */
export function damageTexts(problems: readonly string[], root: string): string[] {
  return problems.filter(stopsLoops).map((problem) => settingsText(placed(problem, root)));
}

export function refuseDamaged(loaded: Pick<LoadedSettings, "problems">, root: string): void {
  const damage = settingsDamage(loaded, root);
  if (damage !== null) throw new UsageError(settingsText(damage));
}

export function settingsText({ file, line, message }: SettingsProblem): string {
  return `${file}:${line}: ${message}`;
}

export function fromTop(path: string, root: string): string {
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
}
