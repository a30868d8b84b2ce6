import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { startChild } from "./testing/child.ts";
import { numbers, openFor, tempProject } from "./testing/project.ts";

const upTo = (last: number) => Array.from({ length: last }, (_, n) => n + 1);

test("20 times kill -9 while events are appended: the log is sound, without gaps, and holds all that was acknowledged", async () => {
  const root = tempProject();
  const moments = fc.sample(fc.integer({ min: 0, max: 60 }), { numRuns: 20, seed: 42 });
  let acknowledged = 0;
  for (const moment of moments) {
    const child = startChild("appender", [root, "a"]);
    const said: (string | null)[] = [await child.next()];
    while (said.length <= moment) said.push(await child.next());
    said.push(...(await child.kill()));
    acknowledged += said.length;

    const store = openFor(root);
    const seqs = [...store.events("a")].map(({ seq }) => seq);
    // The last append may have been committed and not yet acknowledged.
    expect(seqs.length - acknowledged).toBeOneOf([0, 1]);
    expect(seqs).toEqual(upTo(seqs.length));
    expect(numbers(store.events("a"))).toEqual(seqs);
    expect(said.at(-1)).toBe(`${acknowledged} ${acknowledged}`);
    expect(store.loop("a")).toMatchObject({ lastSeq: seqs.length, summary: { n: seqs.length } });
    expect(store.check()).toEqual([]);
    acknowledged = seqs.length;
    store.close();
  }
});

describe("killed at the fifth append", () => {
  test.for([
    ["log.append.before", 4],
    ["log.append.uncommitted", 4],
    ["log.append.after", 5],
  ] as const)("at %s, the log holds %i events", async ([point, count]) => {
    const root = tempProject();
    const child = startChild("appender", [root, "a"], { ANNEAL_FAILPOINT: `${point}:5` });
    const { lines, signal } = await child.end();
    expect([lines.length, signal]).toEqual([4, "SIGKILL"]);
    expect([...openFor(root).events("a")].map(({ seq }) => seq)).toEqual(upTo(count));
  });
});

describe("killed while a message is posted", () => {
  test.for([
    ["inbox.post.before", []],
    ["inbox.post.after", ["m"]],
  ] as const)("at %s, the inbox holds %o, and posting again makes it one", async ([point, ids]) => {
    const root = tempProject();
    const child = startChild("poster", [root], { ANNEAL_FAILPOINT: point });
    child.send("m");
    expect((await child.end()).signal).toBe("SIGKILL");
    const store = openFor(root);
    expect(store.takeInbox().map(({ id }) => id)).toEqual(ids);
    store.post({ id: "m", loop: "a", body: 1 });
    expect(store.takeInbox().map(({ id }) => id)).toEqual(["m"]);
  });
});
