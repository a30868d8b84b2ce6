import type { Agent } from "@anneal/adapters";
import { INSTALL } from "@anneal/core/agents";
import type { AgentSettings } from "@anneal/types";
import { errorMessage } from "@anneal/types/unknown";
import { UsageError } from "../errors/errors.ts";
import { anchoredWords, wordsOf } from "./command-words.ts";

/** What stands after the colon of an agent's name. */
export type Argument = "model" | "file" | "command";

/** One agent that loops can be played with. Each loads what it needs when it is chosen. */
export interface AgentEntry {
  /** One line for help texts. */
  about: string;
  argument: Argument;
  /** Whether it can implement and fix, or only review and analyse. */
  writes: boolean;
  /** How to find out about it; nothing for agents that need nothing. */
  probe?: AgentProbe;
  make(argument: string | undefined, setup: StartSettings): Promise<Agent>;
}

/** How an agent is started, and whether it may be where nothing shuts it in. */
type StartSettings = AgentSettings & { sandbox?: "required" };

export interface AgentProbe {
  /** Its usual name on the PATH, for agents that are programs. */
  program?: string;
  /** Arguments that make it say whether somebody is signed in, by its exit code. */
  login?: readonly string[];
  /** Variables of which one is enough to be signed in. */
  keys?: readonly string[];
  /** How to get it. */
  install?: string;
  signIn: string;
}

export const AGENTS: Readonly<Record<string, AgentEntry>> = {
  claude: {
    about: "Claude Code",
    argument: "model",
    writes: true,
    probe: {
      program: "claude",
      login: ["auth", "status"],
      keys: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
      install: INSTALL.claude,
      signIn: "claude (and there /login), or set ANTHROPIC_API_KEY",
    },
    make: async (model, setup) => (await import("@anneal/adapters/claude")).claudeAgent(setupOf(setup, model)),
  },
  codex: {
    about: "Codex, through codex exec",
    argument: "model",
    writes: true,
    probe: {
      program: "codex",
      login: ["login", "status"],
      keys: ["CODEX_API_KEY"],
      install: INSTALL.codex,
      signIn: "codex login",
    },
    make: async (model, setup) => (await import("@anneal/adapters/codex")).codexAgent(setupOf(setup, model)),
  },
  gemini: {
    about: "Gemini CLI",
    argument: "model",
    writes: true,
    probe: {
      program: "gemini",
      keys: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
      install: INSTALL.gemini,
      signIn: "gemini and sign in there, or set GEMINI_API_KEY",
    },
    make: async (model, setup) => (await import("@anneal/adapters/gemini")).geminiAgent(setupOf(setup, model)),
  },
  opencode: {
    about: "opencode, with the models of any provider",
    argument: "model",
    writes: true,
    probe: { program: "opencode", install: INSTALL.opencode, signIn: "opencode auth login" },
    make: async (model, setup) => (await import("@anneal/adapters/opencode")).opencodeAgent(setupOf(setup, model)),
  },
  cursor: {
    about: "Cursor's command line",
    argument: "model",
    writes: true,
    probe: {
      program: "cursor-agent",
      login: ["status"],
      keys: ["CURSOR_API_KEY"],
      install: INSTALL.cursor,
      signIn: "cursor-agent login",
    },
    make: async (model, setup) => (await import("@anneal/adapters/cursor")).cursorAgent(setupOf(setup, model)),
  },
  anthropic: {
    about: "Anthropic's API, for reviews without a command line",
    argument: "model",
    writes: false,
    probe: { keys: ["ANTHROPIC_API_KEY"], signIn: "set ANTHROPIC_API_KEY" },
    make: async (model, setup) => (await import("@anneal/adapters/anthropic")).anthropicAgent(setupOf(setup, model)),
  },
  openai: {
    about: "OpenAI's API, for reviews without a command line",
    argument: "model",
    writes: false,
    probe: { keys: ["OPENAI_API_KEY"], signIn: "set OPENAI_API_KEY" },
    make: async (model, setup) => (await import("@anneal/adapters/openai")).openaiAgent(setupOf(setup, model)),
  },
  acp: {
    about: "any program that speaks the Agent Client Protocol: acp:gemini --acp",
    argument: "command",
    writes: true,
    make: async (command, setup) =>
      (await import("@anneal/adapters/acp")).acpAgent({ ...setupOf(setup), command: commandOf("acp", command, setup) }),
  },
  command: {
    about: "any program that reads a prompt and prints JSON: command:./my-agent",
    argument: "command",
    writes: true,
    make: async (command, setup) =>
      (await import("@anneal/adapters/command-agent")).commandAgent({
        ...setupOf(setup),
        command: commandOf("command", command, setup),
      }),
  },
  scripted: {
    about: "answers from a script file: scripted:FILE, or $ANNEAL_SCRIPT",
    argument: "file",
    writes: true,
    make: async (named) => {
      const file = named ?? process.env.ANNEAL_SCRIPT;
      if (!file) throw new UsageError("scripted needs a script: scripted:FILE, or set ANNEAL_SCRIPT");
      const { loadScript, scriptedAgent } = await import("@anneal/adapters/scripted");
      return scriptedAgent(await usable(loadScript(file)));
    },
  },
  replay: {
    about: "replays a recorded run: replay:FILE",
    argument: "file",
    writes: true,
    make: async (file) => {
      if (!file) throw new UsageError("replay needs a cassette: replay:FILE");
      const { loadCassette, replayAgent } = await import("@anneal/adapters/replay");
      await usable(loadCassette(file));
      return replayAgent(file);
    },
  },
};

/** An agent by its name: one of ours, or one that the user named in the settings. */
export function agentEntry(name: string, setup: AgentSettings | undefined): AgentEntry | undefined {
  if (Object.hasOwn(AGENTS, name)) return AGENTS[name];
  const kind = setup?.kind === undefined ? undefined : AGENTS[setup.kind];
  if (setup === undefined || kind === undefined) return undefined;
  return { ...kind, about: `${setup.kind}: ${setup.command?.join(" ") ?? "no command"}`, argument: "model", make };

  async function make(model: string | undefined, its: StartSettings): Promise<Agent> {
    const made = await kind?.make(undefined, model === undefined ? its : { ...its, model });
    if (made === undefined) throw new UsageError(`agentSetup.${name} in the settings has no "kind"`);
    return { ...made, name };
  }
}

/** What adapters take of the settings; a model after the agent's name wins over that of the settings. */
export function setupOf({ kind: _, silenceMs: __, command, unsandboxed, ...rest }: StartSettings, model?: string) {
  const [program, ...args] = anchoredWords(command ?? [], process.cwd());
  return {
    ...defined(rest),
    ...(program === undefined ? {} : { command: [program, ...args] as const }),
    ...(unsandboxed === "allowed" ? { unsandboxed } : {}),
    ...(model === undefined || model === "" ? {} : { model }),
  };
}

function commandOf(
  kind: string,
  named: string | undefined,
  { command }: StartSettings,
): readonly [string, ...string[]] {
  const words = named === undefined ? (command ?? []) : wordsOf(named);
  const [program, ...args] = anchoredWords(words, process.cwd());
  if (program === undefined) throw new UsageError(`${kind} needs a command: ${kind}:PROGRAM ARGUMENT…`);
  return [program, ...args];
}

function defined<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}

/** What cannot be read or used as it was named is the user's to mend. */
export async function usable<T>(loading: T | Promise<T>): Promise<T> {
  try {
    return await loading;
  } catch (error) {
    throw new UsageError(errorMessage(error), { cause: error });
  }
}
