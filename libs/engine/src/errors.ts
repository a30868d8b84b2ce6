/** Something that the user asked for cannot be done as asked; the message says what to do instead. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** There is no change to judge. That is not a pass: nothing was looked at. */
export class NothingToReview extends Error {
  override readonly name = "NothingToReview";
}
