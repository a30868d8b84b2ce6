import { seenIn } from "@anneal/core/seen";
import { systemClock, UsageError } from "@anneal/engine";
import {
  type Answer,
  historyOf,
  isOwned,
  type OpenTalk,
  openToTalk,
  type Said,
  say,
  sayToComing,
} from "@anneal/engine/project";
import { tellBeside } from "../project/output.ts";
import { person } from "../project/person.ts";
import { standsAt } from "../project/words.ts";
import { harmlessLine } from "../style.ts";

type Taken = Extract<Answer, { result: "taken" }>;

/** Says something to the loop of an item, and tells what came of it. */
export async function saying(
  name: string,
  said: Said | ((findings: Taken["state"]["findings"]) => Said),
  command: string,
  taken: (item: string, state: Taken["state"], by: Taken["by"]) => string,
  form: "text" | "json" = "text",
): Promise<number> {
  using talk = await openToTalk(process.cwd(), name, systemClock);
  const { item, row, coming } = talk;
  const words = bound(typeof said === "function" ? said(talk.findings()) : said, talk);
  const from = { ...talk, by: person(), clock: systemClock, tell: tellBeside };
  const loop = coming ?? row?.loop;
  if (loop === undefined) throw new UsageError(`${item} has no loop yet; anneal run ${item} starts one`);
  const answer =
    row === null || coming !== null ? await sayToComing({ ...from, loop }, words) : await say({ ...from, row }, words);
  if (form === "json") {
    process.stdout.write(`${JSON.stringify({ item, loop, said: command, ...asData(answer) }, null, 2)}\n`);
    return answer.result === "refused" ? 1 : 0;
  }
  if (answer.result === "refused") {
    process.stderr.write(`anneal ${command}: ${harmlessLine(answer.reason)}\n`);
    return 1;
  }
  const takenBy = isOwned(talk.root)
    ? "the process that runs the loops takes it as soon as it can"
    : "no process runs the loops; the next anneal run takes it";
  const text = answer.result === "taken" ? taken(item, answer.state, answer.by) : `${command}: queued; ${takenBy}`;
  process.stdout.write(`${text}\n`);
  return 0;
}

/** A word is about the loop as it is now, however long it waits to be taken; one that is still to begin has nothing to look at. */
function bound(said: Said, { store, row, coming }: OpenTalk): Said {
  if (!("signal" in said) || row === null || coming !== null) return said;
  return { ...said, seen: seenIn(row.loop, historyOf(store, row).state) };
}

function asData(answer: Answer): object {
  if (answer.result !== "taken") return answer;
  const { state } = answer;
  const outcome = state.stage === "ended" ? { outcome: state.outcome } : {};
  return { result: answer.result, by: answer.by, stage: state.stage, ...outcome, stands: standsAt(state) };
}
