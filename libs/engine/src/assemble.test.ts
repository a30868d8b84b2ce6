import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { POLICIES } from "@anneal/core";
import { openRepo } from "@anneal/git";
import { describe, expect, onTestFinished, test } from "vitest";
import { makeRepo } from "../../git/src/testing/make-repo.ts";
import { type Cast, checkCast, NOBODY, playersOf } from "./assemble.ts";
import { providerGates } from "./cast/providers/gate.ts";
import { drained, manualClock } from "./cast/providers/testing/manual-clock.ts";
import { UsageError } from "./errors/errors.ts";
import { withoutCopies } from "./review/reviewers/testing/without-copies.ts";

/** A folder with one good script for the item `f1`, one damaged one, and nothing else. */
function scripts(steps: object[] = []): string {
  const folder = mkdtempSync(join(tmpdir(), "anneal-cast-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "f1.json"), JSON.stringify({ steps }));
  writeFileSync(join(folder, "bad.json"), '{"step": []}');
  return folder;
}

describe("a cast is checked before anything is made for it", () => {
  const good = "scripted:DIR/{id}.json";
  const all: Cast = { implementer: good, reviewer: good, fixer: good };
  const within = (cast: Cast, folder: string): Cast => ({
    implementer: cast.implementer.replace("DIR", folder),
    reviewer: cast.reviewer.replace("DIR", folder),
    fixer: cast.fixer.replace("DIR", folder),
  });

  test.for<{ what: string; cast: Partial<Cast>; policy?: keyof typeof POLICIES }>([
    { what: "scripts, with the id in their names", cast: {} },
    { what: "the embedded reviewer and fixer", cast: { reviewer: "builtin", fixer: "builtin" } },
    { what: "nobody to implement, for a branch that exists", cast: { implementer: NOBODY } },
    { what: "scripts under a policy of scores", cast: {}, policy: "scored" },
  ])("$what can play", async ({ cast, policy = "gate" }) => {
    const folder = scripts();
    const before = readdirSync(folder);
    await checkCast(within({ ...all, ...cast }, folder), { id: "f1", policy: POLICIES[policy] });
    expect(readdirSync(folder)).toEqual(before);
  });

  test.for<{ what: string; cast: Partial<Cast>; policy?: keyof typeof POLICIES; says: string }>([
    {
      what: "an unknown implementer",
      cast: { implementer: "oracle" },
      says: 'unknown agent "oracle" for the implementer; known: claude, codex, gemini, opencode, cursor, acp:COMMAND,',
    },
    {
      what: "an unknown reviewer",
      cast: { reviewer: "oracle:x" },
      says: 'unknown agent "oracle" for the reviewer; known: builtin, claude, codex,',
    },
    {
      what: "a fixer with the name of something else",
      cast: { fixer: "toString:x" },
      says: 'unknown agent "toString" for the fixer; known: builtin, claude, codex,',
    },
    {
      what: "the embedded rules as implementer",
      cast: { implementer: "builtin" },
      says: 'unknown agent "builtin" for the implementer',
    },
    {
      what: "the embedded rules with an argument",
      cast: { reviewer: "builtin:x" },
      says: "builtin takes no argument",
    },
    {
      what: "an agent that only reads as fixer",
      cast: { fixer: "anthropic" },
      says: "anthropic is read-only and cannot be the fixer",
    },
    {
      what: "one of several reviewers",
      cast: { reviewer: "builtin+replay" },
      says: "the reviewer replay needs a file",
    },
    { what: "the agent of a model that nobody named", cast: { implementer: "auto" }, says: "no model is named" },
    { what: "nobody to review", cast: { reviewer: NOBODY }, says: 'unknown agent "nobody" for the reviewer' },
    { what: "a script without a file", cast: { fixer: "scripted:" }, says: "the fixer scripted needs a file" },
    { what: "a replay without a file", cast: { reviewer: "replay" }, says: "the reviewer replay needs a file" },
    {
      what: "a script that is not there",
      cast: { implementer: "scripted:DIR/none.json" },
      says: "none.json: the script cannot be read",
    },
    { what: "a damaged script", cast: { reviewer: "scripted:DIR/bad.json" }, says: 'script has no key "step"' },
    {
      what: "a cassette that is not there",
      cast: { fixer: "replay:DIR/{id}.cassette" },
      says: "f1.cassette: the cassette cannot be read",
    },
    {
      what: "the embedded reviewer under a policy of scores",
      cast: { reviewer: "builtin" },
      policy: "scored",
      says: "the builtin reviewer gives no scores, which the policy scored needs",
    },
  ])("$what is refused: $says", async ({ cast, policy = "gate", says }) => {
    const folder = scripts();
    const before = readdirSync(folder);
    const checked = checkCast(within({ ...all, ...cast }, folder), { id: "f1", policy: POLICIES[policy] });
    await expect(checked).rejects.toThrow(UsageError);
    await expect(checked).rejects.toThrow(says);
    expect(readdirSync(folder)).toEqual(before);
  });
});

describe("the players of loops", () => {
  test("share what a provider allows, by the settings, and say when they wait", async () => {
    const turned = { rateLimited: { retryAfterMs: 4_000 } };
    const folder = scripts([
      { role: "fixer", answer: "fixed", ...turned },
      { role: "implementer", answer: "built" },
    ]);
    const repo = await openRepo(onceOnly(makeRepo({ a: "1\n" })).dir);
    const clock = manualClock();
    const gates = providerGates({ clock, random: () => 0 });
    const waits: unknown[] = [];
    const player = `scripted:${folder}/{id}.json`;
    const players = await playersOf(
      { implementer: player, reviewer: player, fixer: player },
      {
        id: "f1",
        policy: POLICIES.gate,
        trees: withoutCopies(repo),
        model: "gpt-5",
        gates,
        providers: { openai: { maxConcurrency: 1, backoffMs: 2_000 } },
        onWait: (...wait) => waits.push(wait),
      },
    );
    const { signal } = new AbortController();
    const restored: string[] = [];
    const restore = async () => void restored.push("restored");
    const fixed = players.fixer.fix({ worktree: repo.root, findings: [], prompt: "?", turn: 1, restore }, signal);
    await drained();
    const built = players.implementer.implement({ worktree: repo.root, prompt: "?", turn: 1 }, signal);
    await drained();
    expect(waits).toEqual([
      ["openai", 4_000, "rate-limited"],
      ["openai", 4_000, "rate-limited"],
    ]);
    await clock.advance(4_000);
    expect(await fixed).toMatchObject({ text: "fixed" });
    expect(await built).toMatchObject({ text: "built" });
    expect(restored).toEqual(["restored"]);
  });
});

function onceOnly<T extends { remove(): void }>(repo: T): T {
  onTestFinished(() => repo.remove());
  return repo;
}
