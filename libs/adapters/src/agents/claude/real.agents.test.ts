import { realAgentSuite, TEST_KEY } from "../../testing/real-agent-suite.ts";
import { realCli } from "../../testing/real-clis.ts";
import { claudeAgent } from "./index.ts";

realAgentSuite({
  name: "claude",
  make: (url, home) =>
    claudeAgent({
      command: [realCli("claude")],
      env: { HOME: home, ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: TEST_KEY },
    }),
  model: "claude-sonnet-4-5",
  answers: "structured",
  edit: (path, before, now) => [
    { name: "Read", input: { file_path: path } },
    { name: "Edit", input: { file_path: path, old_string: before, new_string: now } },
  ],
  writes: (path, content) => [
    { name: "Write", input: { file_path: path, content } },
    { name: "Edit", input: { file_path: path, old_string: "", new_string: content } },
  ],
  shell: (command) => ({ name: "Bash", input: { command } }),
  runsCommandsAs: "fixer",
  attacksAre: "stopped",
});
