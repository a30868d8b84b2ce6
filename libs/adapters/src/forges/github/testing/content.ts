import type { Forge } from "../../contract/port.ts";

/** All that people see of the one pull request, without what a repeated attempt may number or date anew. */
export async function content(forge: Forge): Promise<unknown> {
  const { url: _, mergeCommit, ...pull } = await forge.get(1);
  const said = [...(await forge.comments(1)), ...(await forge.reviews(1))];
  const words = said.map(({ key, author, body }) => ({ key, author, body }));
  return { pull, isMerged: mergeCommit !== null, words, count: (await forge.fromBranch("topic")).length };
}
