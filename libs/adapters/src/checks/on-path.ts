import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** Whether a program without a folder in its name is to be found by it; about others the name alone says nothing. */
export function isOnPath(program: string, path: string = process.env.PATH ?? ""): boolean {
  if (program.includes("/") || process.platform === "win32") return true;
  return path.split(delimiter).some((folder) => folder !== "" && isRunnable(join(folder, program)));
}

function isRunnable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
