import { signOff } from "../../../../libs/core/src/read/testing/sign-off.ts";

/** An approval in the form of seed 000, without a finding. */
export const approval = `**[APPROVED]**\n\n### Issues Found\nNone\n\n### Summary\nDoes what was asked.\n\n${signOff()}\nEND OF REVIEW\n`;
