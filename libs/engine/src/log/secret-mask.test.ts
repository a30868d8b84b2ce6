import type { LoopEvent } from "@anneal/types";
import { expect, onTestFinished, test, vi } from "vitest";
import { SecretMask, secretsOf } from "./secret-mask.ts";

const KEY = "key-of-the-house-77";
const WORD = "packages-of-the-house";
const setups = { claude: { env: { HOUSE_KEY: KEY, HOUSE_WORD: WORD } } };
const maskOf = () => new SecretMask(async () => secretsOf({ agentSetup: setups })).upToDate();

const finding = (more: object) => ({
  ...{ category: "logic", severity: "high", title: `a ${KEY}`, description: `b ${WORD}`, snippet: `c ${KEY}` },
  ...more,
});

test.for([
  {
    what: "what a reviewer says",
    event: { type: "reviewed", head: KEY, report: { status: "complete", findings: [finding({})], summary: KEY } },
    kept: {
      ...{ type: "reviewed", head: KEY },
      report: {
        ...{ status: "complete", summary: "[redacted]" },
        findings: [finding({ title: "a [redacted]", description: "b [redacted]", snippet: "c [redacted]" })],
      },
    },
  },
  {
    what: "which file a finding is about, where a plain word that an agent is handed is part of its name",
    event: { type: "commit-refused", findings: [{ file: `${WORD}/a.ts` }, { file: `${KEY}/a.ts` }] },
    kept: { type: "commit-refused", findings: [{ file: `${WORD}/a.ts` }, { file: "[redacted]/a.ts" }] },
  },
  {
    what: "which files were reviewed",
    event: { type: "reviewed", coverage: { reviewed: [`${WORD}/a`], skipped: [{ file: `${WORD}/b`, reason: WORD }] } },
    kept: {
      type: "reviewed",
      coverage: { reviewed: [`${WORD}/a`], skipped: [{ file: `${WORD}/b`, reason: "[redacted]" }] },
    },
  },
  {
    what: "what a person says, and who it is",
    event: { type: "signalled", id: "1", signal: "retry", by: WORD, note: `not ${KEY}` },
    kept: { type: "signalled", id: "1", signal: "retry", by: WORD, note: "not [redacted]" },
  },
  {
    what: "what is committed, and with which words",
    event: { type: "commit-prepared", plan: { branch: `refs/heads/${WORD}`, message: `feat: ${KEY}` } },
    kept: { type: "commit-prepared", plan: { branch: `refs/heads/${WORD}`, message: "feat: [redacted]" } },
  },
  {
    what: "which tests were red",
    event: { type: "validated", findings: [], tests: { ran: 1, skipped: 0, named: [{ name: KEY, times: 1 }] } },
    kept: { type: "validated", findings: [], tests: { ran: 1, skipped: 0, named: [{ name: "[redacted]", times: 1 }] } },
  },
  {
    what: "which checks a loop is bound to",
    event: { type: "validated", findings: [], checks: { testCommand: ["test", WORD] } },
    kept: { type: "validated", findings: [], checks: { testCommand: ["test", WORD] } },
  },
  {
    what: "which model an agent says it is",
    event: { type: "fixed", by: { agent: WORD, model: KEY, provider: null } },
    kept: { type: "fixed", by: { agent: WORD, model: "[redacted]", provider: null } },
  },
])("of an event is kept without secrets: $what", async ({ event, kept }) => {
  expect((await maskOf()).event(event as unknown as LoopEvent)).toEqual(kept);
});

test("what was secret once stays so after the settings have forgotten it", async () => {
  let known = secretsOf({ agentSetup: setups });
  const mask = await new SecretMask(async () => known).upToDate();
  known = secretsOf({ agentSetup: { claude: { env: { HOUSE_KEY: "another-key-of-it" } } } });
  await mask.upToDate();
  expect(mask.text(`${KEY} ${WORD} another-key-of-it`)).toBe("[redacted] [redacted] [redacted]");
});

test("the way to people is secret: addresses that are keys, passwords and the key of a signature", async () => {
  const slack = { webhookUrl: "https://hooks.example/services/T0/B0/abcdef" };
  const email = { from: "a@shop.example", to: ["b@shop.example"], smtpUrlEnv: "TOLD_BY" };
  vi.stubEnv("TOLD_BY", "smtps://ada:p%40ssword-77@mail.example");
  vi.stubEnv("ANNEAL_NOTIFY_SECRET", "signed-with-this");
  onTestFinished(() => void vi.unstubAllEnvs());
  const notifications = { slack, email, webhook: { url: "https://hooks.example/in?key=123456" } };
  const mask = await new SecretMask(async () => secretsOf({ notifications })).upToDate();
  const text = `${slack.webhookUrl} /services/T0/B0/abcdef p%40ssword-77 p@ssword-77 signed-with-this ${notifications.webhook.url}`;
  expect(mask.text(text).replaceAll("[redacted]", "").trim()).toBe("");
});
