import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/** Whether a program is to be found by its name; one in a folder of the work tree may still come there, so that its name alone says nothing. */
export function isOnPath(program: string, path: string = process.env.PATH ?? ""): boolean {
  if (process.platform === "win32") return true;
  if (isAbsolute(program)) return isRunnable(program);
  if (program.includes("/")) return true;
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
