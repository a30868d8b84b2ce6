export { findStories, problemText, type StoryFile } from "@anneal/adapters/stories";
export { baseBranch } from "./kinds/story/branch.ts";
export { builtAlready, builtText } from "./kinds/story/built.ts";
export {
  type KnownStory,
  knownStories,
  type NamedStories,
  namedStories,
  rememberStories,
} from "./kinds/story/known.ts";
export { branchProblems } from "./kinds/story/own-branch.ts";
export { storyPreview } from "./kinds/story/preview.ts";
