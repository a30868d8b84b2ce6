const LONGEST = 200;

/** Why git would not take this as the name of a branch, or null where it does. */
export function whyNoBranchName(name: string): string | null {
  if (name === "" || name.length > LONGEST) return `a branch name has 1 to ${LONGEST} characters`;
  if (/[\s~^:?*[\\\p{Cc}\p{Cf}]/u.test(name)) return "a branch name has no blanks and none of ~ ^ : ? * [ \\";
  if (/^[-/.]|\/$|\.$|\/\/|\.\.|\/\.|\.lock(?:\/|$)|@\{/.test(name) || name === "@" || name === "HEAD") {
    return "not a valid git branch name";
  }
  return null;
}
