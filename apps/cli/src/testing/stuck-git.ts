import { chmodSync, existsSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "./temp.ts";

/** A git for PATH that waits for ever in one of its commands, and says when it does. */
export interface StuckGit extends Disposable {
  env: NodeJS.ProcessEnv;
  stuck: Promise<void>;
}

export function stuckGit(command: string): StuckGit {
  const marks = tempFolder();
  // Written out, because not every git process gets the whole environment.
  const git = scriptedGit(`*" ${command} "*) : > "${marks.path}/stuck"; exec tail -f /dev/null;;`);
  return {
    env: git.env,
    stuck: appearance(marks.path, "stuck"),
    [Symbol.dispose]: () => {
      git[Symbol.dispose]();
      marks[Symbol.dispose]();
    },
  };
}

/** A git for PATH that does something else in one case of its arguments, as sh writes it. */
export function scriptedGit(inCase: string): Disposable & { env: NodeJS.ProcessEnv } {
  const folder = tempFolder();
  const lines = ["#!/bin/sh", `case " $* " in ${inCase} esac`, `PATH="${process.env.PATH}"; exec git "$@"`];
  writeFileSync(join(folder.path, "git"), `${lines.join("\n")}\n`);
  chmodSync(join(folder.path, "git"), 0o755);
  return { env: { PATH: `${folder.path}:${process.env.PATH}` }, [Symbol.dispose]: folder[Symbol.dispose] };
}

/** Waits until a file of that name is in the folder. */
export function appearance(folder: string, name: string): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(folder, () => look());
    const look = () => {
      if (!existsSync(join(folder, name))) return;
      watcher.close();
      resolve();
    };
    // It may have come before anybody watched.
    look();
  });
}
