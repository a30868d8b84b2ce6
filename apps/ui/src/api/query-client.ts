import { QueryClient } from "@tanstack/react-query";
import { ApiProblem } from "./api.ts";

/** Everything stays fresh until an event says otherwise: the stream tells of every change. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: { staleTime: Number.POSITIVE_INFINITY, retry, refetchOnWindowFocus: false, refetchInterval },
  },
});

const AGAIN_MS = 3_000;

/** No event tells that a folder is back, or that a server is ready: what is not there for now is asked for again. */
function refetchInterval({ state: { error } }: { state: { error: unknown } }): number | false {
  return error instanceof ApiProblem && error.code === "unavailable" && AGAIN_MS;
}

/** What the server has refused it will refuse again; what it did not answer is asked once more. */
function retry(count: number, error: unknown): boolean {
  return count < 1 && error instanceof ApiProblem && error.code === "unreachable";
}
