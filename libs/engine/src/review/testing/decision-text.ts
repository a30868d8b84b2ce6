import { signOff } from "../../../../core/src/read/testing/sign-off.ts";

/** A reviewer's answer in the form of seed 000, signed where it approves. `parts` stand between the decision and the issues. */
export function decisionText(
  decision: "APPROVED" | "REJECTED",
  issues = "None",
  summary = "As it stands.",
  parts = "",
): string {
  const met = parts.match(/^- met:/gm)?.length ?? 0;
  const signed = signOff(met === 0 ? {} : { Requirements: `${met} of ${met} met` });
  const closing = decision === "APPROVED" ? `${signed}\n` : "";
  return `**[${decision}]**\n${parts}\n### Issues Found\n${issues}\n\n### Summary\n${summary}\n\n${closing}END OF REVIEW\n`;
}

/** What an agent says that is asked whether an answer approves without reservation. */
export const UNRESERVED = { without_reservation: true, reservation: null };
