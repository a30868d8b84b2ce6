import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { watch } from "node:fs/promises";
import { join } from "node:path";
import { tempFolder } from "./temp.ts";

/** A git for PATH that waits for ever in one of its commands, and says when it does. */
export interface StuckGit extends Disposable {
  env: NodeJS.ProcessEnv;
  stuck: Promise<void>;
}

export function stuckGit(command: string): StuckGit {
  const folder = tempFolder();
  const [bin, marks] = [join(folder.path, "bin"), join(folder.path, "marks")];
  mkdirSync(bin);
  mkdirSync(marks);
  const lines = [
    "#!/bin/sh",
    // Written out, because not every git process gets the whole environment.
    `case " $* " in *" ${command} "*) : > "${marks}/stuck"; exec tail -f /dev/null;; esac`,
    `PATH="${process.env.PATH}"; exec git "$@"`,
  ];
  writeFileSync(join(bin, "git"), `${lines.join("\n")}\n`);
  chmodSync(join(bin, "git"), 0o755);
  return {
    env: { PATH: `${bin}:${process.env.PATH}` },
    stuck: appearance(marks, "stuck"),
    [Symbol.dispose]: folder[Symbol.dispose],
  };
}

/** Waits until a file of that name shows up in the folder. Call it before anyone can make the file. */
export async function appearance(folder: string, name: string): Promise<void> {
  for await (const { filename } of watch(folder)) if (filename === name) return;
}
