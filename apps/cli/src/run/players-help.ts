import { agentsFor } from "@anneal/engine";

const WIDTH = 118;

/** Who can be named for the parts of a loop, for the help texts of all commands that run loops. */
export function playersHelp(): string {
  const writers = agentsFor("implementer", {});
  const readers = agentsFor("analyst", {}).filter((name) => !writers.includes(name));
  const others = agentsFor("reviewer", {}).filter((name) => !writers.includes(name) && !readers.includes(name));
  return [
    `Agents: ${writers.join(", ")} (default: the agent of the item's model), or a name that you define under "agentSetup" in the global settings; claude:opus names a model.`,
    `Also as reviewers: ${[...readers, ...others].join(", ")}; join several with a plus: claude+codex. builtin can also fix.`,
    "--trust allows the programs that the repository names, for this run (see anneal trust --help).",
    "anneal agents shows which are ready. Settings that come with the repository may only use plain names.",
  ]
    .map(wrapped)
    .join("\n");
}

function wrapped(text: string): string {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line !== "" && line.length + 1 + word.length > WIDTH) lines.push(`  ${word}`);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines.join("\n");
}
