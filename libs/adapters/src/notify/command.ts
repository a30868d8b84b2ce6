import { tmpdir } from "node:os";
import { runCommand } from "@anneal/system/programs/command";
import type { Notifier, SendResult } from "../ports.ts";

export interface NotifyCommandSetup {
  argv: readonly [string, ...string[]];
  /** Set beside what every program gets. */
  env?: Record<string, string>;
  timeoutMs?: number;
}

const TIMEOUT_MS = 30_000;

/** A program of the user's own, which reads the message as JSON from its standard input. */
export function commandNotifier({ argv, env = {}, timeoutMs = TIMEOUT_MS }: NotifyCommandSetup): Notifier {
  return {
    name: "command",
    send: async (message, signal) =>
      resultOf(await startedWith(argv, { env, timeoutMs, signal, input: JSON.stringify(message) }), timeoutMs),
  };
}

/** Runs a notifier's program; what it prints is for nobody. */
export async function startedWith(
  argv: readonly [string, ...string[]],
  options: { env: Record<string, string>; timeoutMs: number; signal: AbortSignal; input?: string },
) {
  return (await runCommand(argv, { cwd: tmpdir(), sandbox: "off", ...options })).status;
}

export function resultOf(status: Awaited<ReturnType<typeof startedWith>>, timeoutMs: number): SendResult {
  if (status === 0) return { result: "sent" };
  if (status === "not-found") return { result: "refused", why: "its program was not found" };
  if (status === "timed-out") return { result: "unclear", why: `it was not done after ${timeoutMs} ms` };
  if (typeof status !== "number") return { result: "unclear", why: "it was stopped" };
  return { result: "later", why: `it exited with ${status}`, retryAfterMs: null };
}
