import { agentsFor } from "@anneal/engine";

const WIDTH = 118;

/** Who can be named for the parts of a loop, for the help texts of all commands that run loops. */
export function playersHelp(): string {
  const writers = agentsFor("implementer", {});
  const readers = agentsFor("analyst", {}).filter((name) => !writers.includes(name));
  const others = agentsFor("reviewer", {}).filter((name) => !writers.includes(name) && !readers.includes(name));
  return [
    `Agents: ${writers.join(", ")} (that of the item's model), or a name of your own under "agentSetup" in the global settings; claude:opus names a model.`,
    `As reviewers besides: ${[...readers, ...others].join(", ")}; several at once with a plus: claude+codex. builtin fixes, too.`,
    "--trust agrees, for this run, to the programs that the repository names (see anneal trust --help).",
    "anneal agents tells which of them are ready. From settings that come with the repository only plain names are taken.",
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
