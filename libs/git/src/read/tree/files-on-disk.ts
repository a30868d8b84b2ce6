import { constants, lstatSync, readdirSync } from "node:fs";
import { type FileFingerprint, hash } from "./steering.ts";

export const FOLDER = "folder ";

/** What no tree of git holds: folders without files, rights, and things that are neither file, folder nor link. */
export function foldersOnDisk(root: string): FileFingerprint[] {
  const folders: FileFingerprint[] = [];
  const visit = (path: string) => {
    const folder = path === "" ? root : `${root}/${path}`;
    const names = readdirSync(folder).filter((name) => path !== "" || name !== ".git");
    const inner: string[] = [];
    const listed: string[] = [];
    for (const name of names.sort()) {
      const { mode } = lstatSync(`${folder}/${name}`);
      listed.push(`${mode} ${name}`);
      if ((mode & constants.S_IFMT) === constants.S_IFDIR) inner.push(path === "" ? name : `${path}/${name}`);
    }
    folders.push([`${FOLDER}${path === "" ? "." : path}`, hash(listed.join("\0"))]);
    for (const one of inner) visit(one);
  };
  visit("");
  return folders;
}
