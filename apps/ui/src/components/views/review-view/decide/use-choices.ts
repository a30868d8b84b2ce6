import type { ApiEscalation, ApiLoopState } from "@anneal/types";
import { useQuery } from "@tanstack/react-query";
import { escalationQuery } from "../../../../api/queries.ts";

export type ReviewChoice = ApiEscalation["choices"][number];

/** What a stuck loop asks a person, and the ways out that it offers. */
export function useChoices(
  project: string,
  loop: ApiLoopState,
): { packet: ApiEscalation | undefined; choices: ReviewChoice[] } {
  const { data } = useQuery({ ...escalationQuery(project, loop.id, loop.lastSeq), enabled: loop.escalated });
  const packet = loop.escalated ? data : undefined;
  return { packet, choices: choicesOf(packet) };
}

/** Three ways out that are all shut are those of another kind of work. */
function choicesOf(packet: Pick<ApiEscalation, "choices"> | undefined): ReviewChoice[] {
  const offered = packet?.choices ?? [];
  return offered.some(({ possible }) => possible) ? offered : [];
}
