import { readdirSync } from "node:fs";
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
  throw new CannotStart("codex cannot review here: the repository has more skills of its own than can be turned off");
}

function skillsIn(folder: string): string[] {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
    return names.filter((name) => /(?:^|\/)SKILL\.md$/i.test(name)).map((name) => join(folder, name));
  } catch {
    return [];
  }
}
