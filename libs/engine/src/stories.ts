export { findStories, problemText, type StoryFile } from "@anneal/adapters/stories";
export { baseBranch, storyStart } from "./project/stories/branch.ts";
export {
  type KnownStory,
  knownStories,
  type NamedStories,
  namedStories,
  rememberStories,
} from "./project/stories/known.ts";
export { branchProblems } from "./project/stories/own-branch.ts";
