/** How to get each agent that is a program of its own: a command, or where to read about it. */
export const INSTALL = {
  claude: "npm install -g @anthropic-ai/claude-code",
  codex: "npm install -g @openai/codex",
  gemini: "npm install -g @google/gemini-cli",
  opencode: "npm install -g opencode-ai",
  cursor: "see https://cursor.com/cli",
} as const;
