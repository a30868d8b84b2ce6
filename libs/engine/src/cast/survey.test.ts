import { chmodSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { surveyAgents } from "./survey.ts";

/** A home folder, and a program that says its version only where this holds. */
function program(script: string): { home: string; command: [string] } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "anneal-survey-")));
  const home = realpathSync(mkdtempSync(join(tmpdir(), "anneal-survey-home-")));
  vi.stubEnv("HOME", home);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    for (const one of [folder, home]) rmSync(one, { recursive: true, force: true });
  });
  const path = join(folder, "agent");
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return { home, command: [path] };
}

const signal = new AbortController().signal;
const versionOf = async (command: [string]) =>
  (await surveyAgents({ setups: { opencode: { command } } }, signal)).find(({ name }) => name === "opencode")?.program;

test("asking for versions leaves nothing in the home folder", async () => {
  const { home, command } = program('mkdir -p "$HOME/.local/share/opencode"; echo 1.2.3');
  expect(await versionOf(command)).toMatchObject({ state: "found", version: "1.2.3" });
  expect(readdirSync(home)).toEqual([]);
});

test("a program that is found by way of the home folder says its version all the same", async () => {
  const { home, command } = program('[ -e "$HOME/.tools" ] && echo 4.5.6');
  writeFileSync(join(home, ".tools"), "");
  expect(await versionOf(command)).toMatchObject({ state: "found", version: "4.5.6" });
});
