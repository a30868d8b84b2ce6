import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { probeSandbox } from "@anneal/system/sandbox/probe";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeRepo, type TestRepo } from "../../../../git/src/testing/make-repo.ts";
import { workspaceOf } from "../../../../workspace/src/testing/workspace-of.ts";
import type { Agent } from "../../ports.ts";
import { claudeAgent } from "../claude/index.ts";
import { cursorAgent } from "../cursor/index.ts";
import { geminiAgent } from "../gemini/index.ts";
import { opencodeAgent } from "../opencode/index.ts";
import type { AgentSetup } from "./setup.ts";

/** Writes wherever it is told to, and replaces a file of its home folder as programs do that write their settings whole. */
const ATTACKER = `
const { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require("node:fs");
const { dirname, join } = require("node:path");
const [targets, report] = [JSON.parse(process.env.TARGETS), process.env.REPORT];
for (const path of targets) {
  try { mkdirSync(dirname(path), { recursive: true }); appendFileSync(path, "attacked"); } catch {}
}
const settings = join(process.env.HOME, ".claude.json");
try {
  writeFileSync(settings + ".tmp", "renamed");
  renameSync(settings + ".tmp", settings);
  writeFileSync(report, readFileSync(settings, "utf8"));
} catch (error) { try { writeFileSync(report, error.message); } catch {} }
`;

/** What is there before, in the home folder: a program of the user's obeys or runs each of these. */
const THERE = {
  ".bashrc": "# mine\n",
  ".claude.json": "{}",
  ".ssh/authorized_keys": "key\n",
  ".config/systemd/user/mine.service": "[Service]\n",
  ".local/bin/tool": "#!/bin/sh\n",
  "other/.git/hooks/pre-commit": "#!/bin/sh\n",
  "other/node_modules/.bin/tool": "#!/bin/sh\n",
  ".claude/settings.json": "{}",
  ".gemini/settings.json": "{}",
  ".config/opencode/opencode.json": "{}",
  ".npm/_cacache/index": "cache\n",
};
const MISSING = [
  ".config/git/config",
  ".gitconfig",
  ".config/autostart/x.desktop",
  ".ssh/config",
  ".cache/pip/x",
  "new",
];

const AGENTS: { name: string; make: (setup: AgentSetup) => Agent; state: string[] }[] = [
  { name: "claude", make: claudeAgent, state: [".claude/.credentials.json"] },
  { name: "gemini", make: geminiAgent, state: [".gemini/oauth_creds.json"] },
  {
    name: "opencode",
    make: opencodeAgent,
    state: [".local/share/opencode/auth.json", ".config/opencode/.gitignore", ".cache/opencode/version"],
  },
  { name: "cursor", make: cursorAgent, state: [] },
];

/** Neither in the home folder nor in one for temporary files, which a box covers anyway. */
const CACHE = fileURLToPath(new URL("../../../../../.cache", import.meta.url));
const works = (await probeSandbox()).state === "works";

let repo: TestRepo;
let base: string;
let home: string;
beforeEach(() => {
  repo = makeRepo({ "a.txt": "one\n" });
  mkdirSync(CACHE, { recursive: true });
  base = realpathSync(mkdtempSync(join(CACHE, "box-")));
  home = join(base, "home");
  for (const [path, text] of Object.entries(THERE)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
});
afterEach(() => {
  repo[Symbol.dispose]();
  rmSync(base, { recursive: true, force: true });
});

const isAttacked = (path: string) => existsSync(path) && readFileSync(path, "utf8").includes("attacked");

describe("from inside of its box an agent with sign-in and network", () => {
  const cases = AGENTS.flatMap((agent) =>
    (["reviewer", "analyst", "fixer", "implementer"] as const).map((role) => ({ ...agent, role })),
  );

  test.runIf(works).for(cases)(
    "writes its own state and its own work, and nothing else: $name as $role",
    async ({ make, state, role }) => {
      const [tree, other] = [await workspaceOf(repo, "a"), await workspaceOf(repo, "b")];
      const elsewhere = [join(base, "tools/bin/tool"), join(base, "secret.txt")];
      const repositories = [repo.dir, other.root].flatMap((root) =>
        ["a.txt", ".git/hooks/pre-commit", ".git/config"].map((path) => join(root, path)),
      );
      const inHome = [...Object.keys(THERE), ...MISSING, ...state].map((path) => join(home, path));
      const targets = [...inHome, ...elsewhere, ...repositories, join(tree.root, "a.txt")];
      const report = join(home, dirname(state[0] ?? "none/x"), "report");
      const env = { HOME: home, TARGETS: JSON.stringify(targets), REPORT: report };
      const request = { role, prompt: "", cwd: tree.root, limits: { timeoutMs: 60_000 } };
      await make({ command: [process.execPath, "-e", ATTACKER, "--"], env }).run(request, new AbortController().signal);
      const writes = role === "fixer" || role === "implementer";
      const own = [...state.map((path) => join(home, path)), ...(writes ? [join(tree.root, "a.txt")] : [])];
      expect(targets.filter(isAttacked)).toEqual(own);
      expect(existsSync(join(home, ".claude.json.tmp"))).toBe(false);
      expect(readFileSync(join(home, ".claude.json"), "utf8")).toBe("{}");
      if (state.some((path) => path.startsWith(".claude/"))) expect(readFileSync(report, "utf8")).toBe("renamed");
    },
  );
});
