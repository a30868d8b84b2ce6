import { atLeast, earned } from "@anneal/core";
import { type PullRequestReply, pullRequestText, type Reckoning, repliesTo } from "@anneal/core/pull-request";
import type { Finding } from "@anneal/types";
import type { Outgoing } from "../../review/secrets/secrets.ts";
import type { ForgeConnection } from "./forge.ts";
import type { Opening, PullRequestJob } from "./open.ts";

/** Every word that a pull request of ours says on the forge. */
export interface Wording {
  title: string;
  body: string;
  labels: readonly string[];
  replies: PullRequestReply[];
}

export function wordingOf(
  { terms }: Pick<ForgeConnection, "terms">,
  { item, policy, unanswered = [] }: PullRequestJob,
  state: Opening,
): Wording {
  const replies = unanswered.flatMap(({ report, head }) => {
    const settled = earned(state) && state.head !== head;
    const reckoning: Reckoning = { kind: settled ? "addressed" : "open", head: state.head };
    // Only what was handed to the fixer has an answer; remarks below the threshold stay as they are.
    const became = ({ severity }: Finding) => (atLeast(severity, policy.pass.blocksAt) ? reckoning : null);
    return repliesTo(report, became);
  });
  return { ...pullRequestText({ item, policy, state }), labels: terms.labels ?? [], replies };
}

/** The texts of a pull request, by where they would appear. */
export function outgoing(branch: string, { title, body, labels, replies }: Wording): Outgoing[] {
  return [
    { place: "the name of the branch", text: branch },
    { place: "the title of the pull request", text: title },
    ...sectionsOf(body).map(({ heading, text }) => {
      return { place: `the text of the pull request${heading === "" ? "" : `, under “${heading}”`}`, text };
    }),
    ...labels.map((text) => ({ place: "a label of the pull request", text })),
    ...replies.map(({ body: text }) => ({ place: "an answer on the pull request", text })),
  ];
}

function sectionsOf(body: string): { heading: string; text: string }[] {
  return body.split(/^(?=## )/mu).map((text) => ({ heading: /^## (.*)$/mu.exec(text)?.[1] ?? "", text }));
}
