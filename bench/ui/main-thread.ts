/** One task of the main thread of a page. */
export interface Task {
  ms: number;
  /** Without the time in which other programs had the processor: this is what a busy machine does not change. */
  cpuMs: number;
}

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

/** The tasks of the busiest page in a trace of Chromium. */
export function mainThread(trace: Buffer): Task[] {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const mains = new Set(
    traceEvents.filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain").map(threadOf),
  );
  const ran = traceEvents.filter(
    (event) => event.ph === "X" && event.name === "ThreadControllerImpl::RunTask" && mains.has(threadOf(event)),
  );
  const threads = [...Map.groupBy(ran, threadOf).values()].map((events) =>
    events.map(({ dur = 0, tdur = 0 }) => ({ ms: dur / 1_000, cpuMs: tdur / 1_000 })),
  );
  const busiest = threads.toSorted((a, b) => total(b) - total(a))[0];
  if (busiest === undefined) throw new Error("the trace has no main thread of a page");
  return busiest;
}

/** CPU of all of them, in ms. */
export function total(tasks: readonly Task[]): number {
  return tasks.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
}

/** CPU of the longest of them, in ms. */
export function longest(tasks: readonly Task[]): number {
  return Math.max(...tasks.map(({ cpuMs }) => cpuMs));
}
