import { seenIn } from "@anneal/core/seen";
import { NoLoopYet, systemClock } from "@anneal/engine";
import {
  historyOf,
  isOwned,
  type OpenItem,
  openNamedItem,
  type PersonsSignal,
  rightOf,
  type SignalAnswer,
  sendSignal,
  signalPendingLoop,
} from "@anneal/engine/project";
import { noteOnStderr } from "../project/output.ts";
import { speaker } from "../project/person.ts";
import { standsAt } from "../project/words.ts";
import { harmlessLine } from "../style.ts";

type Taken = Extract<SignalAnswer, { result: "taken" }>;

type Words = PersonsSignal | ((findings: Taken["state"]["findings"]) => PersonsSignal);
type TakenText = (item: string, state: Taken["state"], by: Taken["by"]) => string;
type Form = "text" | "json";

/** Says something to the loop of an item, and tells what came of it. */
export async function saying(
  name: string,
  said: Words,
  command: string,
  taken: TakenText,
  form: Form = "text",
): Promise<number> {
  try {
    return await spoken(name, said, command, taken, form);
  } catch (error) {
    if (!(error instanceof NoLoopYet)) throw error;
    const answer = { result: "refused", reason: error.message } as const;
    return tell({ item: error.item, loop: null, command, answer }, form, () => "");
  }
}

async function spoken(name: string, said: Words, command: string, taken: TakenText, form: Form): Promise<number> {
  using talk = await openNamedItem(process.cwd(), name, systemClock);
  const { item, row, coming } = talk;
  const loop = coming ?? row?.loop;
  if (loop === undefined) throw new NoLoopYet(item);
  const words = bound(typeof said === "function" ? said(talk.findings()) : said, talk);
  const from = { ...talk, ...(await speaker(rightOf(words))), clock: systemClock, tell: noteOnStderr };
  const answer =
    row === null || coming !== null
      ? await signalPendingLoop({ ...from, loop }, words)
      : await sendSignal({ ...from, row }, words);
  const takenBy = isOwned(talk.store)
    ? "the process that runs the loops will take it"
    : "no process runs the loops; the next anneal run will take it";
  return tell({ item, loop, command, answer }, form, () =>
    answer.result === "taken" ? taken(item, answer.state, answer.by) : `${command}: queued; ${takenBy}`,
  );
}

interface Told {
  item: string;
  loop: string | null;
  command: string;
  answer: SignalAnswer;
}

/** Tells what came of it; the exit code is 1 where it is not possible now. */
function tell({ item, loop, command, answer }: Told, form: Form, text: () => string): number {
  if (form === "json") {
    process.stdout.write(`${JSON.stringify({ item, loop, said: command, ...asData(answer) }, null, 2)}\n`);
    return answer.result === "refused" ? 1 : 0;
  }
  if (answer.result === "refused") {
    process.stderr.write(`anneal ${command}: ${harmlessLine(answer.reason)}\n`);
    return 1;
  }
  process.stdout.write(`${text()}\n`);
  return 0;
}

/** A word is about the loop as it is now, however long it waits to be taken; one that is still to begin has nothing to look at. */
function bound(said: PersonsSignal, { store, row, coming }: OpenItem): PersonsSignal {
  if (!("signal" in said) || row === null || coming !== null) return said;
  return { ...said, seen: seenIn(row.loop, historyOf(store, row).state) };
}

function asData(answer: SignalAnswer): object {
  if (answer.result !== "taken") return answer;
  const { state } = answer;
  const outcome = state.stage === "ended" ? { outcome: state.outcome } : {};
  return { result: answer.result, by: answer.by, stage: state.stage, ...outcome, stands: standsAt(state) };
}
