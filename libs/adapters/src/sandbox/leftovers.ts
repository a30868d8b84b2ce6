import { createHash, randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { endAll } from "./processes.ts";

const NAME = "ANNEAL_RUN";

/** A mark in the environment of everything that a command starts, by which all of it is found again. */
export function runMark(cwd: string): { text: string; env: Record<string, string> } {
  const text = `${folderMark(cwd)}${randomUUID()}`;
  // Marks of commands around this one stay, so that they find it too.
  const outer = process.env[NAME];
  return { text, env: { [NAME]: outer === undefined ? text : `${outer} ${text}` } };
}

/** Ends everything that commands started in a folder, also those of a process that was killed. Call it before that folder is used again. */
export function endLeftovers(cwd: string): void {
  endAll({ mark: folderMark(cwd) });
}

function folderMark(cwd: string): string {
  return `${createHash("sha256").update(resolve(cwd)).digest("hex").slice(0, 24)}.`;
}
