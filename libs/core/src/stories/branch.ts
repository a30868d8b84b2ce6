import type { Story } from "@anneal/types";

const LONGEST_TITLE = 50;

/** The branch of a story: its own name for it, else one made of id and title, such as `story-2-1-d4-lend-books`. */
export function storyBranch({ id, title, branch }: Pick<Story, "id" | "title" | "branch">): string {
  return branch ?? ["story", slug(id), shortened(slug(title))].filter((part) => part !== "").join("-");
}

/** Lower-case ASCII letters and digits, joined by single dashes; accents go, other scripts are left out. */
function slug(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, "-")
    .replace(/^-|-$/gu, "");
}

/** Cut between words where there is a place to cut. */
function shortened(words: string): string {
  if (words.length <= LONGEST_TITLE) return words;
  const end = words.lastIndexOf("-", LONGEST_TITLE);
  return words.slice(0, end > LONGEST_TITLE / 2 ? end : LONGEST_TITLE);
}
