import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// Tests read the packages from source. What they start as processes is bundled first: the command line and the children.
const globalSetup = "scripts/test-programs.mjs";
// Many suites start the product as a process, over and over: compiled once, that takes a third of the time.
const compiled = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL(".cache/compiled", import.meta.url)),
  // What test projects name runs without asking; the suites about consent take this away.
  ANNEAL_TRUST: "all",
};
// scripts/fast-temp.mjs finds a place where temporary repositories cost no disk.
const { ANNEAL_TEMP } = process.env;
const env = ANNEAL_TEMP === undefined ? compiled : { ...compiled, TMPDIR: ANNEAL_TEMP };
const e2e = "apps/*/src/**/*.e2e.test.ts";
// Suites that run the real agents against a model on loopback; scripts/agents.mjs installs them.
const agents = "libs/*/src/**/*.agents.test.ts";
// Suites that drive the pages in a real browser, over the built files; scripts/chromium.mjs installs one.
const browser = "apps/ui/flows/**/*.browser.test.ts";
// Programs that are not ours (a browser, the agents) get a second try; the closing lines name whatever needed it.
const foreign = { retry: 1 };
// Suites that touch nothing outside themselves need no process each: loading what they test took most of their time.
const pure = ["libs/{core,prompts,types}/src/**/*.test.ts", "apps/ui/src/**/*.test.ts"];
// Suites that kill, race and clone for a living: part of `npm test`, too slow for the gate before a commit.
const faults = [
  "libs/adapters/src/agents/acp/!(*.agents).test.ts",
  "libs/adapters/src/checks/**/*.test.ts",
  "libs/adapters/src/forges/fake/kills.test.ts",
  "libs/adapters/src/forges/github/{faults,kills,polling}.test.ts",
  "libs/git/src/{remote,write}/**/*.test.ts",
  "libs/git/src/run/{leftovers,locks}.test.ts",
  "libs/system/src/{processes,programs,sandbox}/**/*.test.ts",
  "libs/workspace/src/**/*.test.ts",
  "apps/server/src/events/{processes,reconnect,slow}.test.ts",
  "apps/server/src/security/fuzz.test.ts",
  "libs/engine/src/{faults,golden,items,kinds,log,project,services,signals,workspaces}/**/*.test.ts",
];

export default defineConfig({
  test: {
    globalSetup,
    // Most suites wait for git and for processes, so that two cores carry two workers and the main process. A third gains nothing.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: "unit",
          env,
          include: ["libs/*/src/**/*.test.ts", "apps/*/src/**/*.test.ts", "scripts/**/*.test.ts", "bench/**/*.test.ts"],
          exclude: [e2e, agents, ...pure, ...faults],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      { test: { name: "pure", env, include: pure, isolate: false, testTimeout: 60_000 } },
      { test: { name: "faults", env, include: faults, exclude: [agents], testTimeout: 120_000, hookTimeout: 120_000 } },
      { test: { name: "e2e", env, include: [e2e], testTimeout: 120_000, hookTimeout: 120_000 } },
      {
        test: {
          name: "browser",
          env,
          ...foreign,
          include: [browser],
          testTimeout: 240_000,
          hookTimeout: 240_000,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        // After all others: each of these programs takes a core of its own.
        test: {
          name: "agents",
          env: compiled,
          ...foreign,
          include: [agents],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
