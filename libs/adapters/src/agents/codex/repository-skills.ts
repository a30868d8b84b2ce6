import { readdirSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { CannotStart } from "../cli/cli-agent.ts";
import { set } from "./command-line.ts";

const FOLDERS = [".agents/skills", ".codex/skills"];

/** An argument list has a limit of 128 KiB for one argument. */
const LONGEST = 100_000;

/**
 * Turns off the skills that lie in a work tree, one by one. Codex takes a skill's text for an order as soon as the prompt
 * has its name in it, and the prompt has the change in it.
 */
export function withoutSkillsOf(cwd: string): string[] {
  const skills = FOLDERS.flatMap((folder) => skillsIn(join(cwd, folder)));
  if (skills.length === 0) return [];
  const off = set(
    "skills.config",
    skills.map((path) => ({ path, enabled: false })),
  );
  if (off.every((text) => Buffer.byteLength(text) <= LONGEST)) return off;
  throw new CannotStart(
    `codex cannot review this repository: its ${skills.length} skills must be turned off during a review, and codex cannot turn off that many; use another reviewer`,
  );
}

/** As deep as Codex looks, and further. */
const DEEPEST = 8;

/** Links are followed, as Codex follows them; what they lead to is named as well, since it may go by that. */
function skillsIn(folder: string, depth = 0, seen = new Set<string>()): string[] {
  const real = realPathOf(folder);
  if (real === null || seen.has(real) || depth > DEEPEST) return [];
  seen.add(real);
  if (statSync(real).isFile()) return /(?:^|\/)SKILL\.md$/i.test(folder) ? [...new Set([folder, real])] : [];
  return readdirSync(real).flatMap((name) => skillsIn(join(folder, name), depth + 1, seen));
}

function realPathOf(path: string): string | null {
  try {
    const real = realpathSync(path);
    const stat = statSync(real);
    return stat.isDirectory() || stat.isFile() ? real : null;
  } catch {
    return null;
  }
}
