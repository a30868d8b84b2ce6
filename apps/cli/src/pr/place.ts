import { systemClock, UsageError } from "@anneal/engine";
import { openReader } from "@anneal/engine/project";
import { connect, type ForgeConnection, targetOf } from "@anneal/engine/pull-requests";

/** The branch that pull requests of this project go into, for a loop that was begun against one, or for a new one. */
export async function targetHere(place: ForgeConnection, known: string | undefined): Promise<string> {
  using reader = await openReader(process.cwd(), systemClock);
  return await targetOf(reader, place, known);
}

/** The forge of the project in this folder; that there is none is the person's to mend. */
export async function forgeHere(): Promise<ForgeConnection & { root: string }> {
  using reader = await openReader(process.cwd(), systemClock);
  const place = await connect(reader.repo, systemClock);
  if (!("none" in place)) return { ...place, root: reader.root };
  throw new UsageError(
    `cannot open pull requests, because ${place.none}; anneal pr --help shows how to try them without a forge`,
  );
}
