import { readdir, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { ProjectContext } from "@anneal/prompts";
import { OutsideJail, systemCode } from "@anneal/system/files/errors";
import { realTarget } from "@anneal/system/files/jail";
import { readRegular } from "@anneal/system/files/regular-file";
import { errorMessage } from "@anneal/types/unknown";

/** How much of the context files is loaded; CLAUDE.md is cut by the prompts, which know what they show. */
export interface ContextLimits {
  fileChars: number;
  totalChars: number;
}

const LIMITS: ContextLimits = { fileChars: 20_000, totalChars: 60_000 };
const MAX_BYTES = 1_000_000;

/** CLAUDE.md and the text files of `.automaker/context/`, sorted. What is left out or cut is named in the notes. */
export async function loadProjectContext(
  projectRoot: string,
  limits: ContextLimits = LIMITS,
): Promise<{ context: ProjectContext; notes: string[] }> {
  const notes: string[] = [];
  const claudeMd = await readText(projectRoot, "CLAUDE.md", notes);
  const files: ProjectContext["files"] = [];
  let left = limits.totalChars;
  for (const path of await contextFiles(projectRoot)) {
    const text = await readText(projectRoot, path, notes);
    if (text === null) continue;
    const shown = cut(text, Math.min(limits.fileChars, left));
    left -= shown.length;
    if (shown.length < text.length)
      notes.push(`${path} was cut: ${shown.length} of ${text.length} characters are shown`);
    if (shown !== "") files.push({ path, text: shown });
  }
  return { context: { ...(claudeMd === null ? {} : { claudeMd }), files }, notes };
}

async function contextFiles(projectRoot: string): Promise<string[]> {
  const folder = join(projectRoot, ".automaker", "context");
  return (await filesBelow(folder)).map((path) => relative(projectRoot, path).split(sep).join("/")).sort();
}

/** Node's own recursive listing follows links to folders, which may lead anywhere; this one names the link instead. */
async function filesBelow(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    const below = entries.map(async (entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(path) : [path];
    });
    return (await Promise.all(below)).flat();
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  }
}

async function readText(projectRoot: string, path: string, notes: string[]): Promise<string | null> {
  const leaveOut = (why: string) => {
    notes.push(`${path} is left out: ${why}`);
    return null;
  };
  try {
    const target = realTarget(join(projectRoot, path), projectRoot);
    const { size } = await stat(target);
    if (size > MAX_BYTES) return leaveOut(`it is larger than ${MAX_BYTES} bytes`);
    const text = new TextDecoder("utf-8", { fatal: true }).decode(readRegular(target));
    return text.includes("\0") ? leaveOut("it is not text") : text;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return null;
    if (error instanceof OutsideJail) return leaveOut("it is a link that leads out of the project");
    if (error instanceof TypeError) return leaveOut("it is not text");
    return leaveOut(errorMessage(error));
  }
}

function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const splitsAPair = limit > 0 && /[\uD800-\uDBFF]/.test(text.charAt(limit - 1));
  return text.slice(0, splitsAPair ? limit - 1 : limit);
}
