import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";

/** Whether a program is to be found by its name; one in a folder of the work tree may still come there, so that its name alone says nothing. */
export function isOnPath(program: string, path: string = process.env.PATH ?? ""): boolean {
  if (process.platform === "win32") return true;
  if (isAbsolute(program)) return isRunnable(program);
  if (program.includes("/")) return true;
  return path.split(delimiter).some((folder) => folder !== "" && isRunnable(join(folder, program)));
}

/** Why a program that is named by its path is there and cannot be executed; null also where there is nothing. */
export function notExecutable(program: string, folder: string): string | null {
  if (process.platform === "win32" || !program.includes("/")) return null;
  const path = resolve(folder, program);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return null;
  if (found.isDirectory()) return `${program} is a folder, not a program: correct the command`;
  if (isRunnable(path)) return null;
  return `${program} is not executable: chmod +x it and commit that, or correct the command`;
}

function isRunnable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    // Whoever may look into a folder may "execute" it, and "." lies in every one of the PATH.
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
