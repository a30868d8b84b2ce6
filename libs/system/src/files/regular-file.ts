import { closeSync, constants, fstatSync, openSync, readFileSync, readSync, type Stats } from "node:fs";
import { open } from "node:fs/promises";

/** Opens at once whatever is there: a pipe in place of a file would be waited for without end. */
const AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

export interface RegularFileOptions {
  links?: "followed" | "refused";
}

/** A file's bytes, and what it is. */
export interface RegularFile {
  bytes: Buffer;
  stat: Stats;
}

/** The bytes of a file that is one. Read at once: such files are small, and asking a thread would take longer. */
export function readRegular(path: string, options?: RegularFileOptions): Buffer {
  return lookInto(path, options).bytes;
}

export function lookInto(path: string, { links = "followed" }: RegularFileOptions = {}): RegularFile {
  const file = openSync(path, links === "followed" ? AT_ONCE : AT_ONCE | (constants.O_NOFOLLOW ?? 0));
  try {
    const stat = fstatSync(file);
    refuseOther(path, stat);
    return { bytes: bytesOf(file, stat), stat };
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

/** As `readFileSync`, which would ask for the size again. */
function bytesOf(file: number, { size }: Stats): Buffer {
  // What the system makes up while it is read has no size.
  if (size === 0) return readFileSync(file);
  const bytes = Buffer.allocUnsafe(size);
  let length = 0;
  while (length < size) {
    const read = readSync(file, bytes, length, size - length, null);
    if (read === 0) break;
    length += read;
  }
  return bytes.subarray(0, length);
}

function refuseOther(path: string, found: Stats): void {
  if (!found.isFile() && !found.isDirectory()) throw new Error(`${path} is not a file but a pipe or a device`);
}
