import type { ActiveStage, LoopEvent } from "@anneal/types";
import { expect, test } from "vitest";
import { workMeter } from "./work-meter.ts";

/** `stage@ms` begins work, `=ms` ends it, for a loop named before the colon. */
function logOf(...lines: string[]) {
  const events: { seq: number; loop: string; event: LoopEvent }[] = [];
  const asked: number[] = [];
  const add = (line: string) => {
    const [loop = "", what = ""] = line.split(":");
    const [stage, at] = what.split(/[@=]/);
    const event: LoopEvent = what.startsWith("=")
      ? { type: "nothing-to-commit", at: Number(at) }
      : { type: "intended", at: Number(at), stage: stage as ActiveStage, attempt: 1 };
    events.push({ seq: events.length + 1, loop, event });
  };
  for (const line of lines) add(line);
  const allEvents = (since: number, limit: number) => {
    asked.push(since);
    return events.slice(since, since + limit);
  };
  return { add, asked, allEvents };
}

test.for([
  { what: "nothing", log: [], since: 0, ms: 0 },
  { what: "one piece of work", log: ["a:fixing@10", "a:=25"], since: 0, ms: 15 },
  {
    what: "loops at the same time, each for itself",
    log: ["a:fixing@10", "b:reviewing@12", "a:=20", "b:=20"],
    since: 0,
    ms: 18,
  },
  { what: "the part after the moment", log: ["a:fixing@10", "a:=25"], since: 20, ms: 5 },
  { what: "nothing of what ended before it", log: ["a:fixing@10", "a:=25"], since: 25, ms: 0 },
  { what: "nothing of what is still under way", log: ["a:fixing@10"], since: 0, ms: 0 },
  { what: "nothing of what a kill cut off", log: ["a:fixing@10", "a:fixing@500", "a:=510"], since: 0, ms: 10 },
  { what: "nothing of a wait between two pieces", log: ["a:fixing@10", "a:=20", "a:=900"], since: 0, ms: 10 },
  { what: "nothing of the wait for the forge", log: ["a:awaiting-feedback@10", "a:=900"], since: 0, ms: 0 },
])("counts $what", ({ log, since, ms }) => {
  expect(workMeter(logOf(...log))(since)).toBe(ms);
});

test("reads on where it has been, and from the beginning only for an earlier moment", () => {
  const log = logOf("a:fixing@10", "a:=20");
  const worked = workMeter(log);
  expect(worked(15)).toBe(5);
  log.add("a:reviewing@30");
  expect(worked(15)).toBe(5);
  log.add("a:=34");
  expect(worked(15)).toBe(9);
  expect(log.asked).toEqual([0, 2, 2, 3, 3, 4]);
  expect(worked(32)).toBe(2);
  expect(worked(0)).toBe(14);
});
