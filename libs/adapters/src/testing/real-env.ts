const OWN = /^(ANTHROPIC|CLAUDE|OPENAI|CODEX|GEMINI|GOOGLE|OPENCODE|CURSOR|ANNEAL_RUN$)|PROXY$/i;

/** Hides the keys and settings of whoever runs the tests; gives the way back. */
export function withoutOwnKeys(): () => void {
  const hidden = Object.entries(process.env).filter(([name]) => OWN.test(name));
  for (const [name] of hidden) delete process.env[name];
  return () => {
    for (const [name, value] of hidden) process.env[name] = value;
  };
}
