import { resolve } from "node:path";
import { featureFolders } from "../features/folder.ts";
import { setFields } from "./front-matter/set-fields.ts";
import { updateText } from "./front-matter/text-file.ts";

/** Writes a story's status into its front matter. Only that value changes in the file; says whether it did. */
export async function writeStoryStatus(root: string, file: string, status: string): Promise<boolean> {
  const options = { lock: featureFolders(root).lock, jail: root };
  const { changed } = await updateText(resolve(root, file), (text) => setFields(file, text, { status }), options);
  return changed;
}
