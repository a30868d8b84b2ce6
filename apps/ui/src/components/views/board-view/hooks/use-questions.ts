import type { ApiItem, ApiLoopState, ApiMove, ApiMoves, Seen, SignalName } from "@anneal/types";
import { errorMessage } from "@anneal/types/unknown";
import { useState } from "react";
import { toast } from "sonner";
import { isPlan, planMoves } from "../../../../api/plans.ts";
import { loopQuery, movesQuery } from "../../../../api/queries.ts";
import { queries } from "../../../../api/query-client.ts";
import type { AskedWord } from "../../review-view/decide/signal-dialog.tsx";
import type { BoardActions } from "./use-board-actions.ts";

/** What a person is asked before it is done. */
export type BoardQuestion =
  | ({ ask: "word"; item: ApiItem } & AskedWord)
  | { ask: "move"; item: ApiItem; to: string; consequence: string; seen: Seen | null };

export interface Asking {
  question: BoardQuestion | null;
  settle(): void;
  /** Each does at once what can be taken back, and asks about the rest. */
  signal(item: ApiItem, signal: SignalName): Promise<void>;
  move(item: ApiItem, to: string): Promise<void>;
  start(item: ApiItem): Promise<void>;
}

/** Stands between the board and what it does, by key, by mouse and from the palette alike. */
export function useQuestions(project: string, actions: BoardActions): Asking {
  const [question, setQuestion] = useState<BoardQuestion | null>(null);
  const signal = async (item: ApiItem, said: SignalName) => {
    const id = item.loop?.id;
    const loop = id === undefined ? null : await asked(() => loopOf(project, id), item.title);
    if (loop === undefined) return;
    const word = loop?.signals.find((one) => one.signal === said);
    if (loop === null || word === undefined) toast.info(`${said} is not possible for “${item.title}” now.`);
    else if (word.undoable && !word.takesNote) await actions.signal(item, said, loop.seen);
    else setQuestion({ ask: "word", item, loop, word });
  };
  const move = async (item: ApiItem, to: string) => {
    const answer = await asked(() => moveOf(project, item, to), item.title);
    if (answer === undefined) return;
    const { meant, seen } = answer;
    if (meant.refused !== null) toast.info(`“${item.title}” stays where it is: ${meant.refused}.`);
    else if (meant.undoable) await actions.move(item, to, seen);
    else if (meant.signal !== null) await signal(item, meant.signal);
    else setQuestion({ ask: "move", item, to, consequence: meant.consequence ?? "", seen });
  };
  return {
    question,
    settle: () => setQuestion(null),
    signal,
    move,
    // A result that waits is not worked on anew by a slip of the finger.
    start: (item) => (item.column === "waiting_approval" ? move(item, "in_progress") : actions.start(item)),
  };
}

/** As the server says it now: what is asked about must be what follows. */
function loopOf(project: string, loop: string): Promise<ApiLoopState> {
  return queries.fetchQuery({ ...loopQuery(project, loop), staleTime: 0 });
}

async function moveOf(project: string, item: ApiItem, to: string): Promise<{ meant: ApiMove; seen: ApiMoves["seen"] }> {
  const { moves, seen } = isPlan(item)
    ? { moves: planMoves(item, [to]), seen: null }
    : await queries.fetchQuery({ ...movesQuery(project, item.id), staleTime: 0 });
  const meant = moves.find((one) => one.to === to) ?? {
    to: item.column,
    means: null,
    signal: null,
    consequence: null,
    undoable: false,
    refused: "there is no such column",
  };
  return { meant, seen };
}

async function asked<T>(ask: () => Promise<T>, title: string): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    toast.error(`“${title}”: ${errorMessage(error)}`);
    return undefined;
  }
}
