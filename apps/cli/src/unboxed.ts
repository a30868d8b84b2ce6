import { harmlessLine } from "./style.ts";

/** Says what is not protected where nothing on this machine can shut agents and programs of the repository in. */
export async function warnUnboxed(command: string): Promise<void> {
  const { unboxedHere } = await import("@anneal/engine/doctor");
  const line = await unboxedHere();
  if (line !== null) process.stderr.write(`anneal ${command}: ${harmlessLine(line)}\n`);
}
