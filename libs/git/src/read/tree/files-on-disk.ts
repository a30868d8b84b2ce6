import { lstatSync, readdirSync, type Stats } from "node:fs";
import { type FileFingerprint, hash } from "./steering.ts";

export const FOLDER = "folder ";

/** All of a work tree as the disk has it, without git. */
export interface FilesOnDisk {
  /** What no tree of git holds: folders without files, rights, and things that are neither file, folder nor link. */
  folders: FileFingerprint[];
  /** Everything but folders, by path. */
  files: Map<string, Stats>;
}

export function filesOnDisk(root: string): FilesOnDisk {
  const folders: FileFingerprint[] = [];
  const files = new Map<string, Stats>();
  const visit = (path: string) => {
    const folder = path === "" ? root : `${root}/${path}`;
    const names = readdirSync(folder).filter((name) => path !== "" || name !== ".git");
    const inner: string[] = [];
    const listed: string[] = [];
    for (const name of names.sort()) {
      const stats = lstatSync(`${folder}/${name}`);
      const at = path === "" ? name : `${path}/${name}`;
      listed.push(`${stats.mode} ${name}`);
      if (stats.isDirectory()) inner.push(at);
      else files.set(at, stats);
    }
    folders.push([`${FOLDER}${path === "" ? "." : path}`, hash(listed.join("\0"))]);
    for (const one of inner) visit(one);
  };
  visit("");
  return { folders, files };
}
