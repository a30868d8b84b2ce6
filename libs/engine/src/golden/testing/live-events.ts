import type { SampleProject } from "./sample-project.ts";

/** An event of a seed as a listener hears it: its name and its payload. */
export type SeedEventPair = [type: string, payload: unknown];

/**
 * What a running loop reported in the seeds' words, in the order in which it was reported. Ids of issues are `issue-1` and so on by
 * their first mention; times and places of the machine have no meaning here.
 */
export function listener(project: Pick<SampleProject, "root">, ids: Readonly<Record<string, string>>) {
  const events: { type: string; payload: unknown }[] = [];
  const names = new Map<string, string>();
  const nameOf = (id: string) => {
    const name = names.get(id) ?? `issue-${names.size + 1}`;
    names.set(id, name);
    return name;
  };
  return {
    hears: {
      onEvent: ({ seed }: { seed: { type: string; payload: unknown }[] }) => void events.push(...seed),
      onProgress: ({ seed }: { seed: { type: string; payload: unknown } }) => void events.push(seed),
    },
    heard(prefix = ""): SeedEventPair[] {
      const own = events.filter(({ type }) => type.startsWith(prefix)).map(({ type, payload }) => [type, payload]);
      const text = Object.entries(ids).reduce((all, [id, name]) => all.replaceAll(id, name), JSON.stringify(own));
      return JSON.parse(
        text
          .replaceAll(project.root, "/ROOT")
          .replaceAll(/\b[0-9a-f]{32}\b/g, nameOf)
          .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "TIME"),
      );
    },
  };
}
