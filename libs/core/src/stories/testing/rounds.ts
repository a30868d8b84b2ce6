import type { CompleteReport, Severity } from "@anneal/types";
import { POLICIES } from "../../policies/index.ts";
import { finding, Play, report, unlike } from "../../testing/build.ts";

export const story = { id: "2.1-D4", title: "Lend books to readers" };
export const adversarial = (): Play => new Play(POLICIES.adversarial);

/** A report with findings of these severities, each with words and code of its own. */
export function found(round: number, ...severities: Severity[]): CompleteReport {
  const findings = severities.map((severity, n) =>
    finding({ severity, title: `${round}.${n}`, description: unlike(round * 10 + n), snippet: `f${round}${n}();` }),
  );
  return report({ claim: null, findings });
}

/** A story whose third review still finds something. */
export function exhausted(...last: Severity[]): Play {
  const play = adversarial().build().review(found(1, "high")).mend().review(found(2, "high")).mend();
  return play.review(found(3, ...last));
}
