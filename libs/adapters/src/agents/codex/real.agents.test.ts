import { realAgentSuite } from "../../testing/real-agent-suite.ts";
import { codexAgent } from "./index.ts";
import { mockedCodex } from "./testing/mocked-codex.ts";

realAgentSuite({
  name: "codex",
  make: (url, home) => codexAgent(mockedCodex(url, home)),
  model: "gpt-5.5",
  answers: "structured",
  edit: (path, before, now) => [
    { name: "exec_command", input: { cmd: `cat ${path}` } },
    { name: "apply_patch", input: patch(`*** Update File: ${path}\n@@\n-${before}\n+${now}`) },
  ],
  writes: (path, content) => [
    { name: "apply_patch", input: patch(`*** Add File: ${path}\n+${content.trimEnd()}`) },
    { name: "apply_patch", input: patch(`*** Delete File: ${path}`) },
  ],
  shell: (command) => ({ name: "exec_command", input: { cmd: command } }),
  runsCommandsAs: "reviewer",
  attacksAre: "stopped",
});

function patch(body: string): string {
  return `*** Begin Patch\n${body}\n*** End Patch\n`;
}
