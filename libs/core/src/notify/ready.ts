/** What seed 001 has a pull request say once it is ready for people, word for word. */
export const READY_COMMENT = "This PR has been automatically refined and is ready for human review";
export const READY_LABEL = "ready-for-review";
