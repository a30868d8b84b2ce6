export { findStories, problemText, type StoryFile } from "@anneal/adapters/stories";
export { baseBranch } from "./project/stories/branch.ts";
export { builtAlready, builtText } from "./project/stories/built.ts";
export {
  type KnownStory,
  knownStories,
  type NamedStories,
  namedStories,
  rememberStories,
} from "./project/stories/known.ts";
export { storyOutlook } from "./project/stories/outlook.ts";
export { branchProblems } from "./project/stories/own-branch.ts";
