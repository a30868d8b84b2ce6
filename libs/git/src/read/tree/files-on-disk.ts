import { constants, lstatSync, readdirSync } from "node:fs";
import { type FileFingerprint, hash } from "./steering.ts";

/** All files of a work tree as the disk has them, without git. */
export interface FilesOnDisk {
  /** What no tree of git holds: folders without files, rights, and things that are neither file, folder nor link. */
  folders: FileFingerprint[];
  /**
   * The same only as long as nobody has written, replaced or touched a file. Null where that says too little: times on this disk
   * are too coarse, or a repository lies in the tree, whose commit is written elsewhere.
   */
  stamp: string | null;
}

export const FOLDER = "folder ";

export function filesOnDisk(root: string): FilesOnDisk {
  const folders: FileFingerprint[] = [];
  const stamps: number[] = [];
  let isFine = false;
  let isAlone = true;
  const visit = (path: string) => {
    const folder = path === "" ? root : `${root}/${path}`;
    const names = readdirSync(folder).filter((name) => path !== "" || !NOT_HERE.has(name));
    if (path !== "" && names.includes(".git")) isAlone = false;
    const inner: string[] = [];
    const listed: string[] = [];
    for (const name of names.sort()) {
      const { mode, ino, size, mtimeMs, ctimeMs } = lstatSync(`${folder}/${name}`);
      listed.push(`${mode} ${name}`);
      if ((mode & constants.S_IFMT) === constants.S_IFDIR) inner.push(path === "" ? name : `${path}/${name}`);
      else {
        stamps.push(ino, size, mtimeMs, ctimeMs);
        isFine ||= ctimeMs % 1_000 !== 0;
      }
    }
    folders.push([`${FOLDER}${path === "" ? "." : path}`, hash(listed.join("\0"))]);
    for (const one of inner) visit(one);
  };
  visit("");
  const prints = [...folders.flat(), hash(Buffer.from(new Float64Array(stamps).buffer))];
  return { folders, stamp: isFine && isAlone ? hash(prints.join("\0")) : null };
}

/** Git's own. */
const NOT_HERE = new Set([".git"]);
