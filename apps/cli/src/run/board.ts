import { isAtRest } from "@anneal/core";
import { type AgentActivity, itemOf, type LoopNotification, progressOf } from "@anneal/engine/project";
import { duration, fitted, shortId } from "../project/output.ts";
import { doingNow } from "../project/words.ts";
import { harmlessLine, painter } from "../style.ts";
import { notificationLine } from "./notification-line.ts";

const REDRAW_MS = 1_000;

/** Progress on standard error: on a terminal one line per loop that is at work, drawn anew; elsewhere one line per step. */
export function board() {
  const { stderr } = process;
  const rewrites = stderr.isTTY === true && process.env.TERM !== "dumb";
  const paint = painter(stderr);
  const active = new Map<string, AtWork>();
  let drawn = 0;

  const erase = () => {
    if (drawn > 0) stderr.write(`\u001b[${drawn}A\r\u001b[0J`);
    drawn = 0;
  };
  const draw = () => {
    erase();
    const width = (stderr.columns || 80) - 1;
    const lines = [...active.values()].map((one) => fitted(atWork(one), width));
    stderr.write(lines.map((line) => `${paint("cyan", line)}\n`).join(""));
    drawn = lines.length;
  };
  const print = (line: string) => {
    if (rewrites) erase();
    stderr.write(`${line}\n`);
    if (rewrites) draw();
  };
  const timer = rewrites ? setInterval(draw, REDRAW_MS) : undefined;
  timer?.unref();

  return {
    event(told: LoopNotification): void {
      const { stage } = told.state;
      const working = !isAtRest(stage);
      const before = active.get(told.loop);
      if (!working) active.delete(told.loop);
      else active.set(told.loop, { told, since: before?.told.state.stage === stage ? before.since : Date.now() });
      // The line of the loop shows its stage already.
      const news = rewrites && told.event.type === "intended" ? null : notificationLine(told, paint);
      if (news !== null) print(`${name(told)}  ${news}`);
      for (const line of told.lines) print(`${name(told)}  ${harmlessLine(line)}`);
      if (news === null && rewrites) draw();
    },
    /** What an agent does shows in the line of its loop when that is drawn next. */
    seen({ loop, event }: AgentActivity): void {
      const one = active.get(loop);
      if (one === undefined || event.kind === "result") return;
      one.doing = event.kind === "tool" ? `${event.name} ${event.detail}` : event.text;
    },
    // The same words show as what its agent does.
    progress: () => {},
    say: (message: string) => print(paint("yellow", `! ${harmlessLine(message)}`)),
    close: () => {
      clearInterval(timer);
      if (rewrites) erase();
      active.clear();
    },
  };

  function name({ item }: LoopNotification): string {
    return paint("bold", rewrites ? shortId(item) : item);
  }
}

interface AtWork {
  told: LoopNotification;
  since: number;
  /** What its agent did last. */
  doing?: string;
}

function atWork({ told, since, doing = "" }: AtWork): string {
  const { item, title, policy, state } = told;
  const { round, maxRounds } = progressOf(policy, state);
  const what = doingNow(state, itemOf(item).kind);
  const seen = doing === "" ? "" : `  · ${harmlessLine(doing.slice(0, 200))}`;
  const again = state.notBefore === null ? "" : ", retries soon";
  return `… ${shortId(item)}  ${what} (round ${round}/${maxRounds}${again})  ${duration(Date.now() - since)}  ${harmlessLine(title)}${seen}`;
}
