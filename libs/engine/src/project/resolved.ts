import type { Repo } from "@anneal/adapters/git";
import { awaitsResolution } from "@anneal/core";
import { UsageError } from "../errors.ts";
import { isPartOf } from "../part-of.ts";
import type { PrepareRequest } from "./kind.ts";

/** A loop that goes on after a merge conflict: its worktree keeps what a person committed there on top of the head. */
export async function asResolved(repo: Repo, request: PrepareRequest): Promise<PrepareRequest> {
  const { before } = request;
  if (!("state" in before) || before.state.head === null || !awaitsResolution(before.state)) return request;
  if ((await repo.status()) === "changed") {
    throw new UsageError(`${repo.root} holds changes that are not committed: commit them, or discard them`);
  }
  const head = await onTop(repo, before.state.head);
  return { ...request, before: { ...before, state: { ...before.state, head, tree: null } } };
}

/** Where a worktree stands, if that holds a head; else that head, since what dropped it resolves nothing. */
export async function onTop(repo: Repo, head: string): Promise<string> {
  const tip = await repo.headCommit();
  return tip !== null && (await isPartOf(repo, head, tip)) ? tip : head;
}
