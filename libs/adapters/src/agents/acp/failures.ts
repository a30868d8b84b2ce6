import type { AgentRun } from "../../ports.ts";
import { failureOf } from "../cli/failure.ts";

const AUTH_REQUIRED = -32_000;

/** A model that was asked for and cannot be had. */
export class NoSuchModelError extends Error {
  override name = "NoSuchModelError";
}

/** Sorts an error that an agent answered with; undefined where it gave none and the line went dead. */
export function failureOfAnswer(
  name: string,
  error: unknown,
): Pick<AgentRun, "error" | "lasting" | "rateLimited"> | undefined {
  if (error instanceof NoSuchModelError) return { error: `${name} ${error.message}`, lasting: true };
  if (!isRequestError(error)) return undefined;
  const said = [error.message, ...wordsIn(error.data)].join(": ");
  // Some give the status of their provider as the code.
  const status = isStatus(error.code) ? error.code : statusIn(error.data);
  const failure = failureOf(name, said, status);
  if (error.code !== AUTH_REQUIRED || failure.lasting || failure.rateLimited) return failure;
  return failureOf(name, said, 401);
}

function isRequestError(error: unknown): error is Error & { code: number; data?: unknown } {
  return error instanceof Error && "code" in error && typeof error.code === "number";
}

function isStatus(value: unknown): value is number {
  return typeof value === "number" && value >= 400 && value < 600;
}

function statusIn(data: unknown, depth = 0): number | undefined {
  if (typeof data !== "object" || data === null || depth > 3) return undefined;
  const { status, statusCode } = data as Record<string, unknown>;
  const own = [status, statusCode].find(isStatus);
  return (
    own ??
    Object.values(data)
      .map((inner) => statusIn(inner, depth + 1))
      .find(isStatus)
  );
}

/** The texts in what came along with an error, wherever they are in it. */
function wordsIn(data: unknown, depth = 0): string[] {
  if (typeof data === "string") return [data];
  if (typeof data !== "object" || data === null || depth > 3) return [];
  return Object.values(data).flatMap((value) => wordsIn(value, depth + 1));
}
