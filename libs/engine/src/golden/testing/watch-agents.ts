import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentRequest } from "@anneal/adapters";

/** An agent at work: its prompt, and every file that it could read in its tree, with its bytes. */
export interface Watch {
  request: AgentRequest;
  files: Map<string, string>;
}

export const watched: Watch[] = [];

/** Put in the place of the scripted agents with `vi.mock`, this records each one's prompt and the files in its tree. */
export function watching(real: typeof import("@anneal/adapters/scripted")) {
  const scriptedAgent: typeof real.scriptedAgent = (script) => {
    const agent = real.scriptedAgent(script);
    const run: typeof agent.run = (request, signal) => {
      watched.push({ request, files: filesIn(request.cwd) });
      return agent.run(request, signal);
    };
    return { ...agent, run };
  };
  return { ...real, scriptedAgent };
}

function filesIn(root: string): Map<string, string> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name));
  return new Map(paths.map((path) => [path.slice(root.length + 1), readFileSync(path, "utf8")]));
}
