import type { Repo } from "@anneal/git";
import type { NamedProgram, ProjectSettings } from "@anneal/types";
import { type ConsentState, consentStates } from "./consent.ts";
import { programsHere } from "./programs-here.ts";
import { consentFor } from "./store.ts";

/** A program as a person is shown it. */
export interface ShownProgram extends NamedProgram {
  standing: ConsentState;
  /** The commit or folder whose content it has, where a loop wanted to run it and it is not what stands here. */
  at: string | null;
}

/** What the repository would have run as it is now, and what loops have asked for meanwhile. */
export async function shownPrograms(repo: Repo, proposed?: ProjectSettings): Promise<ShownProgram[]> {
  const [here, { asked }, standing] = await Promise.all([
    programsHere(repo, proposed),
    consentFor(repo),
    consentStates(repo),
  ]);
  const known = new Set(here.map(({ hash }) => hash));
  const others = asked.filter(({ hash }) => !known.has(hash));
  return [
    ...here.map((program) => ({ ...program, standing: standing(program), at: null })),
    ...others.map((program) => ({ ...program, standing: standing(program) })),
  ];
}
