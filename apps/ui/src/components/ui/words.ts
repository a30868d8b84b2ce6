/** A state as people read it: `addressing_feedback` is `addressing feedback`. */
export function words(state: string): string {
  return state.replaceAll(/[_-]/g, " ");
}
