import { annealClient } from "@anneal/client";
import type { EventFrame } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { followed, logOf, placeOf } from "../testing/followed.ts";
import { serverWorld } from "../testing/server-world.ts";

const LOOPS = 20;
const CUTS = 50;
const EVERY = 4;

const approved = (frames: EventFrame[]) =>
  new Set(frames.filter(({ type }) => type === "feature:code-review-approved").map(({ item }) => item)).size;

describe("a client", () => {
  test(`that is cut off ${CUTS} times during a busy run of ${LOOPS} loops ends with exactly the log`, async () => {
    await using world = await serverWorld({ features: LOOPS });
    const [project = ""] = world.ids;
    const { url: base, token } = world.server;
    const client = annealClient({ base, token });
    let cuts = 0;
    const one = followed(client, { project }, (_frame, { frames, cut }) => {
      if (cuts < CUTS && frames.length % EVERY === 0 && cut()) cuts += 1;
    });
    const undisturbed = followed(client, { project });
    await Promise.all([one, undisturbed].map((each) => each.until(() => each.states.at(-1)?.kind === "live")));
    for (let n = 1; n <= LOOPS; n += 1) await client.items.start({ params: { project, item: `f${n}` } });
    await Promise.all([one, undisturbed].map((each) => each.until(() => approved(each.frames) === LOOPS)));
    expect(cuts).toBe(CUTS);
    const log = await logOf(world.roots[0] ?? "", project);
    // All that was written is told, also what came after the last approval.
    await one.until(() => one.frames.length >= log.length);
    expect(one.frames.map(placeOf)).toEqual(log);
    await undisturbed.until(() => undisturbed.frames.length >= log.length);
    expect(one.frames.map(({ type, payload }) => [type, payload])).toEqual(
      undisturbed.frames.map(({ type, payload }) => [type, payload]),
    );
    expect(one.states.filter(({ kind }) => kind === "waiting")).toHaveLength(CUTS);
    for (const each of [one, undisturbed]) each.stream.close();
  });

  test("that went away goes on from its cursor, also where it saw nothing yet", async () => {
    await using world = await serverWorld();
    const [project = ""] = world.ids;
    const { url: base, token } = world.server;
    const client = annealClient({ base, token });
    const first = followed(client);
    await first.until(() => first.states.at(-1)?.kind === "live");
    first.stream.close();
    await client.items.start({ params: { project, item: "f1" } });
    const watcher = followed(client, { project, since: "0" });
    await watcher.until(() => approved(watcher.frames) === 1);
    const second = followed(client, { since: first.stream.cursor ?? "" });
    await second.until(() => approved(second.frames) === 1);
    expect(second.frames[0]).toMatchObject({ seq: 1, part: 0, type: "loop:loop-started" });
    for (const each of [second, watcher]) each.stream.close();
  });

  test.for([
    { what: "a cursor of another log", since: "99999", why: "wrong-cursor" },
    { what: "a cursor that is none", since: "?", why: "refused" },
  ])("with $what is told, and does not try again", async ({ since, why }) => {
    await using world = await serverWorld();
    const [project = ""] = world.ids;
    const { url: base, token } = world.server;
    const one = followed(annealClient({ base, token }), { project, since });
    await one.until(() => one.states.at(-1)?.kind === "ended");
    expect(one.states.map(({ kind }) => kind)).toEqual(["connecting", "ended"]);
    expect(one.states.at(-1)).toMatchObject({ why, reason: expect.stringMatching(/./) });
  });

  test("with a wrong token is told, and does not try again", async () => {
    await using world = await serverWorld();
    const one = followed(annealClient({ base: world.server.url, token: "wrong" }));
    await one.until(() => one.states.at(-1)?.kind === "ended");
    expect(one.states.at(-1)).toMatchObject({ why: "logged-out", reason: expect.stringContaining("X-API-Key") });
  });

  test("hears what agents do where it wants to", async () => {
    await using world = await serverWorld();
    const [project = ""] = world.ids;
    const { url: base, token } = world.server;
    const client = annealClient({ base, token });
    const seen: string[] = [];
    const curious = followed(client, { onActivity: ({ payload }) => seen.push(`${payload.role}: ${payload.text}`) });
    const plain = followed(client);
    await Promise.all([curious, plain].map((each) => each.until(() => each.states.at(-1)?.kind === "live")));
    await client.items.start({ params: { project, item: "f1" } });
    await Promise.all([curious, plain].map((each) => each.until(() => approved(each.frames) === 1)));
    expect(seen).toEqual(expect.arrayContaining([expect.stringMatching(/^implementer: /)]));
    expect(curious.frames.map(placeOf)).toEqual(plain.frames.map(placeOf));
    for (const each of [curious, plain]) each.stream.close();
  });
});
