/** The file cannot stand for a review; the message says why. */
export class SarifError extends Error {
  override readonly name = "SarifError";
}
