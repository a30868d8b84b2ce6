import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from "node:fs";
import { open } from "node:fs/promises";

/** Opens at once whatever is there: a pipe in place of a file would be waited for without end. */
const AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

export interface RegularFileOptions {
  links?: "followed" | "refused";
}

/** The bytes of a file that is one. Read at once: such files are small, and asking a thread would take longer. */
export function readRegular(path: string, { links = "followed" }: RegularFileOptions = {}): Buffer {
  const file = openSync(path, links === "followed" ? AT_ONCE : AT_ONCE | (constants.O_NOFOLLOW ?? 0));
  try {
    refuseOther(path, fstatSync(file));
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** The same for whoever reads again and again, and has others come in between. */
export async function readRegularFile(path: string): Promise<Buffer> {
  const file = await open(path, AT_ONCE);
  try {
    refuseOther(path, await file.stat());
    return await file.readFile();
  } finally {
    await file.close();
  }
}

function refuseOther(path: string, found: Stats): void {
  if (!found.isFile() && !found.isDirectory()) throw new Error(`${path} is not a file but a pipe or a device`);
}
