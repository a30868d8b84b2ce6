/** What a pass does not say, wherever a pass is shown and nobody judged the requirements. */
export const REQUIREMENTS_NOT_JUDGED = "requirements not judged: nobody looked whether the change does what was asked";

/** The same in a few words, for a line that says more. */
export const REQUIREMENTS_NOT_JUDGED_BRIEF = "requirements not judged";
