import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

export interface Child {
  process: ChildProcess;
  send(line: string): void;
  /** The next line that it prints, or null when it is gone. */
  next(): Promise<string | null>;
  /** Kills it as hard as can be and answers, when it is gone, with the lines not yet read. */
  kill(): Promise<string[]>;
  /** Waits for its own end; answers with the lines not yet read and the signal that ended it, if one did. */
  end(): Promise<{ lines: string[]; signal: NodeJS.Signals | null }>;
}

const SCRIPTS = {
  appender: import.meta.resolve("./appender.ts"),
  contender: import.meta.resolve("./contender.ts"),
  marker: import.meta.resolve("./marker.ts"),
  opener: import.meta.resolve("./opener.ts"),
  poster: import.meta.resolve("./poster.ts"),
  putter: import.meta.resolve("./putter.ts"),
};

/** Starts a script of this folder as a process of its own, which does not outlive the test. */
export function startChild(script: keyof typeof SCRIPTS, args: string[], env: Record<string, string> = {}): Child {
  const child = spawn(process.execPath, [fileURLToPath(SCRIPTS[script]), ...args], {
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  // Writing to a child that was just killed is part of the game.
  child.stdin.on("error", () => {});
  const gone = new Promise<NodeJS.Signals | null>((resolve) => child.on("close", (_code, signal) => resolve(signal)));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await lines.next();
    return done ? null : value;
  };
  const end = async () => {
    const rest: string[] = [];
    for (let line = await next(); line !== null; line = await next()) rest.push(line);
    return { lines: rest, signal: await gone };
  };
  return {
    process: child,
    send: (line) => void child.stdin.write(`${line}\n`),
    next,
    end,
    kill: async () => {
      child.kill("SIGKILL");
      return (await end()).lines;
    },
  };
}
