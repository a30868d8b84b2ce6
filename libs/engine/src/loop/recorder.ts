import type { Agent, AgentEvent, Role } from "@anneal/adapters";
import { maskedEvents } from "@anneal/adapters/credentials";
import { diskFailure } from "@anneal/system/files/errors";
import type { ActiveStage } from "@anneal/types";
import { errorMessage } from "@anneal/types/unknown";
import type { Recording, Transcripts } from "../log/transcripts.ts";

/** What was just seen of an agent at work. */
export interface AgentActivity {
  loop: string;
  /** The key of the item. */
  item: string;
  agent: string;
  role: Role;
  event: AgentEvent;
}

/** Records the agents of one loop, one record for each attempt. */
export interface Recorder {
  hear(seen: Omit<AgentActivity, "loop" | "item">): void;
  /** `round` is the review that it is, or the one that comes next. */
  begin(stage: ActiveStage, turn: number, round?: number): void;
  /** The record of the attempt as a blob; null if there is none, or it could not be kept. */
  end(): string | null;
  /** The attempt was given up, and nobody asks what it did. */
  drop(): void;
}

export interface RecorderOptions {
  onSeen?: (seen: AgentActivity) => void;
  onTrouble?: (item: string, message: string) => void;
  /** Removed from all that is recorded. */
  secrets?: readonly string[];
}

/** Stages in which agents work. */
const PLAYED: ReadonlySet<ActiveStage> = new Set(["implementing", "reviewing", "fixing"]);

/** A record that cannot be written is reported and done without: it never fails the loop. */
export function recorder(
  { loop, item }: Pick<AgentActivity, "loop" | "item">,
  transcripts: Transcripts,
  { onSeen, onTrouble, secrets = [] }: RecorderOptions,
): Recorder {
  let recording: Recording | null = null;
  /** By agent and role: each says its own words in pieces. */
  const voices = new Map<string, ReturnType<typeof maskedEvents>>();
  const giveUp = (lost: Recording | null) => {
    recording = null;
    try {
      lost?.drop();
    } catch {
      // What cannot be removed now goes with the next start.
    }
  };
  const safely = <T>(work: () => T): T | null => {
    try {
      return work();
    } catch (error) {
      giveUp(recording);
      const why = diskFailure(error) ?? errorMessage(error);
      onTrouble?.(item, `the transcript of an agent was lost: ${why}`);
      return null;
    }
  };
  const ended = <T>(end: (one: Recording) => T): T | null => {
    const ending = recording;
    recording = null;
    return ending === null ? null : safely(() => end(ending));
  };
  const voiceOf = ({ agent, role }: Pick<AgentActivity, "agent" | "role">) => {
    const key = `${role} ${agent}`;
    const voice =
      voices.get(key) ??
      maskedEvents(secrets, (event) => {
        onSeen?.({ loop, item, agent, role, event });
        safely(() => recording?.add(agent, event));
      });
    voices.set(key, voice);
    return voice;
  };
  const fallSilent = () => {
    for (const voice of voices.values()) voice.end();
    voices.clear();
  };
  return {
    hear: (seen) => voiceOf(seen).tell(seen.event),
    begin(stage, turn) {
      recording = PLAYED.has(stage) ? safely(() => transcripts.begin({ loop, role: stage, turn })) : null;
    },
    end() {
      fallSilent();
      return ended((one) => one.end());
    },
    drop() {
      fallSilent();
      ended((one) => one.drop());
    },
  };
}

/** The same agent, with a recorder. */
export function recordedAgent(agent: Agent, recorder: Pick<Recorder, "hear">): Agent {
  return {
    name: agent.name,
    capabilities: agent.capabilities,
    run: (request, signal) =>
      agent.run(
        {
          ...request,
          onEvent: (event) => {
            recorder.hear({ agent: agent.name, role: request.role, event });
            request.onEvent?.(event);
          },
        },
        signal,
      ),
  };
}
