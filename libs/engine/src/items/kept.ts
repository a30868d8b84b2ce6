import type { Repo } from "@anneal/git";
import type { ItemRef } from "@anneal/types";
import { shellWord } from "../errors/shell-word.ts";
import { folderOf, KEPT_FILES, keptFolder } from "../history/item-key.ts";

/** Work that no branch has, of earlier loops. */
export interface Kept {
  ref: string;
  /** What gives it back. */
  command: string;
}

/** What is kept of an item, by name. */
export async function keptOf(repo: Pick<Repo, "refs">, item: ItemRef): Promise<Kept[]> {
  const folder = `${keptFolder(folderOf(item))}/`;
  return (await repo.refs(folder)).map(({ name }) => {
    const ref = `${folder}${name}`;
    const word = shellWord(ref);
    if (name.endsWith(KEPT_FILES)) return { ref, command: `git restore --source ${word} -- .` };
    return { ref, command: `git branch ${shellWord(ref.replace("refs/anneal/", ""))} ${word}` };
  });
}
