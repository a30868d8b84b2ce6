import { beforeEach, expect, test, vi } from "vitest";

/** A settings file behind HTTP: what it says, its version, and how the server feels about changes. */
const server = vi.hoisted(() => {
  const state = {
    settings: {} as Record<string, unknown>,
    version: 1,
    refuse: null as null | { status: number; body: object },
    during: () => {},
    patches: [] as unknown[],
  };
  globalThis.fetch = async (_, init) => {
    const shown = () => ({ version: String(state.version), settings: state.settings, inForce: state.settings });
    const answer = (status: number, body: unknown) => Response.json(body, { status });
    if (init?.method !== "PATCH") return answer(200, shown());
    state.during();
    if (state.refuse !== null) return answer(state.refuse.status, state.refuse.body);
    if (new Headers(init.headers).get("if-match") !== `"${state.version}"`)
      return answer(412, { success: false, code: "stale", error: "it has changed" });
    const patch = JSON.parse(String(init.body));
    state.patches.push(patch);
    state.settings = { ...state.settings, ...patch };
    state.version += 1;
    return answer(200, shown());
  };
  return state;
});

import type { ApiSettings } from "@anneal/types";
import { discard, edit, giveBack, keptOf, save, tryAgain, useDrafts, writeNow } from "./drafts.ts";

const place = { scope: "project", project: "p" } as const;
const draft = () => useDrafts.getState().byFile["project p"];
const file = (version: number, settings: Record<string, unknown>): ApiSettings => ({
  scope: "project",
  file: "settings.json",
  exists: true,
  version: String(version),
  settings,
  inForce: settings,
  problem: null,
  problems: [],
  stopsLoops: false,
});

beforeEach(() => {
  Object.assign(server, { settings: { maxConcurrency: 2 }, version: 1, refuse: null, during: () => {}, patches: [] });
  discard(place);
});

const begun = () => file(1, { maxConcurrency: 2 });

test("what was typed is written as one change, and the draft is empty then", async () => {
  edit(place, begun(), "maxConcurrency", "5");
  giveBack(place, begun(), "testCommand");
  expect(await save(place)).toBe(true);
  expect(server.patches).toEqual([{ maxConcurrency: 5, testCommand: null }]);
  expect(draft()?.edits).toEqual({});
});

test("what cannot be read is told beside its field, and nothing is sent", async () => {
  edit(place, begun(), "maxConcurrency", "many");
  expect(await save(place)).toBe(false);
  expect(server.patches).toEqual([]);
  expect(draft()?.problems).toEqual([{ path: "maxConcurrency", message: expect.stringContaining("many") }]);
});

test.for([
  {
    refuse: {
      status: 400,
      body: {
        success: false,
        code: "bad-request",
        error: "no",
        problems: [{ path: "testCommand", message: "too long" }],
      },
    },
    problems: [{ path: "testCommand", message: "too long" }],
  },
  {
    refuse: { status: 409, body: { success: false, code: "conflict", error: "mend it" } },
    problems: [{ path: "", message: "mend it" }],
  },
])("a refusal with $refuse.status is told in the server's words and loses nothing", async ({ refuse, problems }) => {
  server.refuse = refuse;
  edit(place, begun(), "testCommand", "npm test");
  expect(await save(place)).toBe(false);
  expect(draft()).toMatchObject({ saving: false, problems, edits: { testCommand: { raw: "npm test" } } });
});

test("a file that others have changed is not written over; what changed is told", async () => {
  edit(place, begun(), "maxConcurrency", "5");
  Object.assign(server, { settings: { maxConcurrency: 3 }, version: 2 });
  expect(await save(place)).toBe(false);
  expect(server.settings).toEqual({ maxConcurrency: 3 });
  expect(draft()?.conflict?.changes).toEqual([{ path: "maxConcurrency", was: 2, now: 3 }]);
  expect(draft()?.edits).toEqual({ maxConcurrency: { raw: "5" } });
});

test("tried again, the same edits go over the newer file", async () => {
  edit(place, begun(), "maxConcurrency", "5");
  Object.assign(server, { settings: { maxConcurrency: 3, defaultModel: "m" }, version: 2 });
  await save(place);
  expect(await tryAgain(place)).toBe(true);
  expect(server.settings).toEqual({ maxConcurrency: 5, defaultModel: "m" });
  expect(draft()).toMatchObject({ conflict: null, edits: {} });
});

test("the version counts that was there when typing began, whatever was read since", async () => {
  edit(place, begun(), "maxConcurrency", "5");
  Object.assign(server, { settings: { maxConcurrency: 3 }, version: 2 });
  edit(place, file(2, { maxConcurrency: 3 }), "defaultModel", "m");
  expect(await save(place)).toBe(false);
  expect(draft()?.conflict).not.toBeNull();
});

test("what is typed while it is saved stays", async () => {
  edit(place, begun(), "maxConcurrency", "5");
  server.during = () => edit(place, begun(), "maxConcurrency", "6");
  expect(await save(place)).toBe(true);
  expect(draft()?.edits).toEqual({ maxConcurrency: { raw: "6" } });
  expect(draft()?.base?.version).toBe("2");
});

test("a reset is written at once and leaves other edits as they are", async () => {
  edit(place, begun(), "maxConcurrency", "5");
  expect(await writeNow(place, begun(), new Map([["defaultModel", null]]))).toBe(true);
  expect(server.patches).toEqual([{ defaultModel: null }]);
  expect(draft()?.edits).toEqual({ maxConcurrency: { raw: "5" } });
});

test("of a draft the page keeps what was typed and the file that it began with, and nothing once it is saved", async () => {
  const kept = () => keptOf(useDrafts.getState().byFile);
  edit(place, begun(), "maxConcurrency", "many");
  await save(place);
  const edits = { maxConcurrency: { raw: "many" } };
  expect(kept()).toEqual({ "project p": { base: begun(), edits, problems: [], conflict: null, saving: false } });
  discard(place);
  expect(kept()).toEqual({});
});
