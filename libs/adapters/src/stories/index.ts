export { findStories } from "./find-stories.ts";
export { type FileProblem, problemText } from "./front-matter/problem.ts";
export { sameByHand } from "./front-matter/same-by-hand.ts";
export { type FieldValue, setFields } from "./front-matter/set-fields.ts";
export { type ReadStoriesOptions, readStories, type Stories } from "./read-stories.ts";
export { interpretStory, readStory, type StoryFile, type StoryRead } from "./read-story.ts";
export { writeStoryStatus } from "./write-status.ts";
export { type TextAtPath, writeTexts } from "./write-texts.ts";
