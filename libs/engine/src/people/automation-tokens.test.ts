import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  automationTokenOf,
  automationTokens,
  createAutomationToken,
  type NewAutomationToken,
  revokeAutomationToken,
} from "./automation-tokens.ts";

const NOW = Date.parse("2026-05-01T10:00:00Z");
const HOUR = 3_600_000;

let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), "anneal-tokens-"));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

const create = (more: Partial<NewAutomationToken> = {}) =>
  createAutomationToken({ name: "ci", rights: ["approve"], until: NOW + HOUR, by: "ada", at: NOW, ...more }, data);
const file = () => join(data, "automation-tokens.json");

test("a token is good until its end, or until it is revoked; nothing on the disk is one", async () => {
  const text = await create({ rights: ["approve", "dismiss", "approve"] });
  expect(await automationTokenOf(text, NOW, data)).toMatchObject({ name: "ci", rights: ["approve", "dismiss"] });
  expect(await automationTokenOf(text, NOW + HOUR, data)).toBeNull();
  const kept = readFileSync(file(), "utf8");
  expect(kept).not.toContain(text.slice(8));
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  for (const word of kept.match(/[\w-]{8,}/g) ?? [])
    for (const forged of [word, `anneal_${word}`]) expect(await automationTokenOf(forged, NOW, data)).toBeNull();
  await revokeAutomationToken("ci", data);
  expect(await automationTokenOf(text, NOW, data)).toBeNull();
  await expect(revokeAutomationToken("ci", data)).rejects.toThrow("there is no token ci");
});

test.for<{ what: string; more: Partial<NewAutomationToken>; says: string }>([
  { what: "a name that is none", more: { name: "a b" }, says: "a b is not a valid name for a token" },
  { what: "an end that has passed", more: { until: NOW }, says: "later than now" },
  { what: "an end too far away", more: { until: NOW + 400 * 24 * HOUR }, says: "within a year" },
  { what: "a name that a good token has", more: {}, says: "there is already a token ci" },
])("none is made with $what", async ({ more, says }) => {
  await create();
  await expect(create(more)).rejects.toThrow(says);
  expect(await automationTokens(data)).toHaveLength(1);
});

test("one that has ended gives its name to the next", async () => {
  await create();
  await create({ at: NOW + HOUR, until: NOW + 2 * HOUR });
  expect(await automationTokens(data)).toMatchObject([{ name: "ci", until: "2026-05-01T12:00:00.000Z" }]);
});

test("a file that cannot be read lets nobody speak", async () => {
  const text = await create();
  writeFileSync(file(), "{");
  await expect(automationTokenOf(text, NOW, data)).rejects.toThrow();
});
