import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRepo } from "@anneal/git";
import { probeSandbox } from "@anneal/system/sandbox/probe";
import { readingCopy } from "@anneal/workspace/reading-copy";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { makeRepo, openTestRepo, type TestRepo } from "../../../../git/src/testing/make-repo.ts";
import { workspaceOf } from "../../../../workspace/src/testing/workspace-of.ts";
import type { AgentRequest, Capabilities } from "../../ports.ts";
import { type AgentSetup, cliAgent } from "./cli-agent.ts";
import { instructionsIn } from "./enclosing.ts";
import { standIn } from "./testing/stand-in.ts";

/** A stand-in that writes wherever it can, and then says what it finds in files of the work tree. */
const ATTACKER = `
const { readdirSync, readFileSync, writeFileSync } = require("node:fs");
const said = [];
for (const path of JSON.parse(process.env.TARGETS)) {
  try { writeFileSync(path, "attacked"); said.push("wrote " + path); } catch {}
}
try { said.push("order: " + readFileSync("orders.json", "utf8")); } catch { said.push("no order"); }
try { said.push("orders: " + readdirSync(".orders").join()); } catch { said.push("no orders"); }
console.log(said.join("; "));
`;

const PATH = process.env.PATH ?? "";
let repo: TestRepo;
let outside: string;
beforeEach(() => {
  repo = makeRepo({ "a.txt": "one\n", ".gitignore": "*.log\n" });
  outside = realpathSync(mkdtempSync(join(tmpdir(), "anneal-outside-")));
  writeFileSync(join(repo.dir, "ignored.log"), "as it was\n");
});
afterEach(() => {
  process.env.PATH = PATH;
  repo[Symbol.dispose]();
  rmSync(outside, { recursive: true, force: true });
});

function agent(readOnly: Capabilities["readOnly"], setup: AgentSetup = {}) {
  return cliAgent(
    {
      name: "stranger",
      capabilities: { schema: "prompted", readOnly, cost: "none", streaming: "none" },
      program: "stranger",
      install: "There is none.",
      env: [],
      obeys: [".orders", "orders.json"],
      launch: () => ({ args: [] }),
      transcript: () => ({
        line: () => [],
        end: (exit, text) => ({ status: exit === 0 ? "finished" : "failed", text, usage: {} }),
      }),
    },
    { command: [process.execPath, "-e", ATTACKER], env: { TARGETS: JSON.stringify(targets()) }, ...setup },
  );
}

function targets(): string[] {
  const inside = ["new.txt", "a.txt", "ignored.log", ".git/hooks/pre-commit", ".git/config"];
  return [...inside.map((path) => join(repo.dir, path)), join(outside, "file")];
}

function run(it: ReturnType<typeof agent>, role: AgentRequest["role"]) {
  const request: AgentRequest = { role, prompt: "", cwd: repo.dir, limits: { timeoutMs: 60_000 } };
  return it.run(request, new AbortController().signal);
}

const works = (await probeSandbox()).state === "works";

describe("our own data, wherever DATA_DIR says that it is", () => {
  const means = ["none", "toolset", "config"] as const;
  const roles = ["reviewer", "analyst", "implementer", "fixer"] as const;

  test.runIf(works).for(means.flatMap((readOnly) => roles.map((role) => ({ readOnly, role }))))(
    "is not seen by an agent ($readOnly) as $role",
    async ({ readOnly, role }) => {
      const token = join(outside, "server-token");
      writeFileSync(token, "speaks-for-a-person");
      vi.stubEnv("ANNEAL_DATA_DIR", outside);
      onTestFinished(() => void vi.unstubAllEnvs());
      const look = `try { console.log(require("node:fs").readFileSync(process.env.AT, "utf8")) } catch { console.log("nothing there") }`;
      const seen = await run(agent(readOnly, { command: [process.execPath, "-e", look], env: { AT: token } }), role);
      expect(seen).toMatchObject({ status: "finished", text: "nothing there\n" });
    },
  );
});

describe("an agent that nothing of its own keeps from writing", () => {
  test.runIf(works).for(["reviewer", "analyst"] as const)("as %s writes nowhere", async (role) => {
    const opened = await openRepo(repo.dir);
    const before = await opened.snapshot();
    expect(await run(agent("none"), role)).toMatchObject({
      status: "finished",
      text: expect.not.stringContaining("wrote"),
    });
    expect(await opened.sameAs(before)).toEqual([]);
    expect(existsSync(join(outside, "file"))).toBe(false);
  });

  test.runIf(works)("as fixer writes in the work tree, and neither in .git nor outside", async () => {
    const { text } = await run(agent("none"), "fixer");
    expect(text.match(/wrote \S+/g)).toHaveLength(3);
    expect(readFileSync(join(repo.dir, "a.txt"), "utf8")).toBe("attacked");
    expect(existsSync(join(repo.dir, ".git/hooks/pre-commit"))).toBe(false);
    expect(existsSync(join(outside, "file"))).toBe(false);
  });

  test.runIf(works).for(["none", "config"] as const)(
    "takes no orders from the work tree, whatever it promises (%s)",
    async (readOnly) => {
      mkdirSync(join(repo.dir, ".orders"));
      writeFileSync(join(repo.dir, ".orders/plugin.js"), "attack()");
      writeFileSync(join(repo.dir, "orders.json"), "attack");
      const { text } = await run(agent(readOnly), "fixer");
      expect(text).toContain("order: ; orders: ");
      expect(text).not.toMatch(/attack\b|plugin/);
      expect(readFileSync(join(repo.dir, "orders.json"), "utf8")).toBe("attack");
    },
  );

  test("does not start where what it obeys is a link", async () => {
    symlinkSync(outside, join(repo.dir, ".orders"));
    expect(await run(agent("none"), "fixer")).toMatchObject({ status: "failed", lasting: true });
  });

  test.runIf(works)("with a read-only mode of its own and no orders around writes nowhere either", async () => {
    expect(await run(agent("config"), "reviewer")).toMatchObject({ status: "finished", text: "no order; no orders\n" });
    expect(existsSync(join(outside, "file"))).toBe(false);
  });

  test.runIf(works).for(["none", "toolset", "config"] as const)(
    "as reader of a linked tree (%s) can change no work tree of its repository, nor git's own files",
    async (readOnly) => {
      const [tree, other] = [join(outside, "tree"), join(outside, "other")];
      for (const path of [tree, other]) repo.git("worktree", "add", "--quiet", "--detach", path);
      const opened = await Promise.all([repo.dir, tree, other].map((path) => openRepo(path)));
      const before = await Promise.all(opened.map((one) => one.snapshot()));
      const places = ["a.txt", "new.txt", ".automaker/settings.json", ".git", ".git/HEAD", ".git/MERGE_HEAD"];
      repo.write({ ".automaker/mine": "" });
      const everywhere = [repo.dir, tree, other].flatMap((at) => places.map((path) => join(at, path)));
      const attacker = agent(readOnly, { env: { TARGETS: JSON.stringify([...everywhere, join(outside, "file")]) } });
      const { text } = await attacker.run(
        { role: "reviewer", prompt: "", cwd: tree, limits: { timeoutMs: 60_000 } },
        new AbortController().signal,
      );
      // What is shut in altogether writes to a /tmp of its own, which nobody sees.
      if (readOnly !== "none") expect(text.match(/wrote [^;]+/g)).toEqual([`wrote ${join(outside, "file")}`]);
      for (const [index, whole] of before.entries())
        expect(await opened[index]?.sameAs(whole)).toEqual(index === 0 ? ["file .automaker/mine"] : []);
    },
  );
});

describe("a reader of a copy", () => {
  const LOOKER = `
const { existsSync, readdirSync } = require("node:fs");
const { spawnSync } = require("node:child_process");
const seen = JSON.parse(process.env.TARGETS).map((path) => path.split("/").at(-1) + ": " + (existsSync(path) ? "there" : "gone"));
const git = spawnSync("git", ["log", "--format=%s"], { encoding: "utf8" });
console.log([...seen, git.stdout.trim().split("\\n").join(", ") || git.stderr].join("; "));
`;

  test.runIf(works).for(["none", "toolset", "config"] as const)(
    "(%s) cannot see the repository that it was made from, and its programs can",
    async (readOnly) => {
      const linked = join(outside, "linked");
      repo.commit({ "node_modules/tool/index.js": "" }, "fix: address code review round 1");
      repo.git("worktree", "add", "--quiet", "--detach", linked);
      repo.write({ ".git/anneal/log.db": "" });
      const copy = join(outside, "copy");
      mkdirSync(copy);
      const [base, head] = [repo.git("rev-parse", "HEAD~1"), repo.git("rev-parse", "HEAD")];
      const hidden = { within: [], hides: () => false };
      await readingCopy(await openRepo(repo.dir), { path: copy, base, head, branch: "b", message: "Title", hidden });
      const places = [join(repo.dir, ".git/anneal/log.db"), join(repo.dir, ".git/HEAD"), join(repo.dir, "a.txt")];
      const targets = [...places, join(linked, "index.js"), join(repo.dir, "node_modules/tool"), join(copy, "a.txt")];
      const command: [string, ...string[]] = [process.execPath, "-e", LOOKER];
      // A program may be one of the project's own.
      const env = { TARGETS: JSON.stringify(targets), PATH: `${PATH}:${join(repo.dir, "node_modules/.bin")}` };
      const { text } = await agent(readOnly, { command, env }).run(
        { role: "reviewer", prompt: "", cwd: copy, limits: { timeoutMs: 60_000 } },
        new AbortController().signal,
      );
      expect(text.trim()).toBe(
        "log.db: gone; HEAD: gone; a.txt: gone; index.js: gone; tool: there; a.txt: there; Title, first",
      );
    },
  );
});

describe("an agent that may write, whatever means of its own it has,", () => {
  const inRepo = [".git/hooks/pre-commit", ".git/config", ".git/anneal/log.db", ".automaker/settings.json", "a.txt"];
  const shut = works ? (["none", "toolset", "config"] as const) : [];

  test.for(shut)("writes and uses git in its own workspace, and writes nowhere else (%s)", async (readOnly) => {
    repo.write({ ".automaker/settings.json": "{}", ".git/anneal/log.db": "log" });
    const [tree, other] = [await workspaceOf(repo, "a"), await workspaceOf(repo, "b")];
    const within = ["a.txt", ".git/hooks/pre-commit", ".git/config"].map((path) => join(tree.root, path));
    const others = [join(other.root, "a.txt"), join(other.root, ".git/config")];
    const paths = [...inRepo.map((path) => join(repo.dir, path)), ...others, ...within];
    const attacker = agent(readOnly, { env: { TARGETS: JSON.stringify(paths) } });
    const settings = readFileSync(join(tree.root, ".git/config"), "utf8");
    const request: AgentRequest = { role: "fixer", prompt: "", cwd: tree.root, limits: { timeoutMs: 60_000 } };
    const ran = await attacker.run(request, new AbortController().signal);
    expect(ran).toMatchObject({ status: "finished" });
    // What is shut in altogether writes to a /tmp of its own, which nobody sees.
    if (readOnly !== "none") expect(ran.text.match(/wrote [^;]+/g)).toEqual(within.map((path) => `wrote ${path}`));
    expect(openTestRepo(tree.root).git("diff", "--name-only")).toBe("a.txt");
    expect(readFileSync(join(repo.dir, ".automaker/settings.json"), "utf8")).toBe("{}");
    expect(readFileSync(join(repo.dir, ".git/anneal/log.db"), "utf8")).toBe("log");
    expect([repo.dir, other.root].map((root) => readFileSync(join(root, "a.txt"), "utf8"))).toEqual(["one\n", "one\n"]);
    // What git goes by is put back, and so starts nothing of the agent's.
    expect(readFileSync(join(tree.root, ".git/config"), "utf8")).toBe(settings);
    for (const root of [repo.dir, tree.root]) expect(existsSync(join(root, ".git/hooks/pre-commit"))).toBe(false);
  });

  /** As git-lfs does: first a temporary file, which is then moved into its place. */
  const CLEAN = [
    'lfs="$(git config lfs.storage || echo .git/lfs)"',
    'cat > "$lfs/tmp/1" && mkdir -p "$lfs/objects/aa" && mv "$lfs/tmp/1" "$lfs/objects/aa/1" && echo pointer',
  ].join("; ");

  test.runIf(works).for(["none", "toolset", "config"] as const)(
    "can look at files that are stored with LFS (%s)",
    async (readOnly) => {
      for (const name of ["tmp", "objects"]) mkdirSync(join(repo.dir, ".git/lfs", name), { recursive: true });
      repo.git("config", "filter.lfs.required", "true");
      repo.git("config", "filter.lfs.clean", CLEAN);
      repo.git("config", "filter.lfs.smudge", "cat");
      repo.commit({ ".gitattributes": "*.bin filter=lfs\n", "big.bin": "one\n" });
      rmSync(join(repo.dir, ".git/lfs/objects/aa"), { recursive: true });
      const { root: cwd } = await workspaceOf(repo, "a");
      const command = ["/bin/sh", "-c", "echo two > big.bin; git diff --stat && echo looked"] as const;
      const request: AgentRequest = { role: "fixer", prompt: "", cwd, limits: { timeoutMs: 60_000 } };
      const ran = await agent(readOnly, { command }).run(request, new AbortController().signal);
      expect(ran).toMatchObject({ status: "finished", text: expect.stringMatching(/looked\n$/) });
      expect(readFileSync(join(repo.dir, ".git/lfs/objects/aa/1"), "utf8")).toBe("two\n");
    },
  );
});

describe("where nothing can be shut in", () => {
  beforeEach(() => {
    process.env.PATH = outside;
  });

  test.for(["reviewer", "analyst"] as const)("it is refused as %s, for a person to mend", async (role) => {
    expect(await run(agent("none"), role)).toMatchObject({
      ...{ status: "failed", lasting: true, error: expect.stringMatching(/^stranger may not run as .*bubblewrap/) },
    });
    expect(existsSync(join(outside, "file"))).toBe(false);
  });

  test("it is refused in any role next to what it would obey", async () => {
    writeFileSync(join(repo.dir, "orders.json"), "attack");
    for (const readOnly of ["none", "config"] as const) {
      const ran = await run(agent(readOnly), "fixer");
      expect(ran).toMatchObject({ status: "failed", lasting: true, error: expect.stringContaining("orders.json") });
    }
  });

  test.for([
    { readOnly: "none", role: "fixer" },
    { readOnly: "none", role: "reviewer" },
    { readOnly: "toolset", role: "fixer" },
    { readOnly: "config", role: "reviewer" },
  ] as const)(
    "it does not run at all ($readOnly, $role) where the user wants a sandbox",
    async ({ readOnly, role }) => {
      const ran = await run(agent(readOnly, { sandbox: "required", unsandboxed: "allowed" }), role);
      expect(ran).toMatchObject({
        ...{ status: "failed", lasting: true },
        error: expect.stringMatching(/^stranger may not run without a sandbox \("sandbox": "required".*anneal doctor/),
      });
      expect(existsSync(join(repo.dir, "new.txt"))).toBe(false);
    },
  );

  test("one that brings a sandbox of its own runs all the same", async () => {
    const honest = { env: { TARGETS: "[]" }, sandbox: "required" } as const;
    expect(await run(agent("os", honest), "fixer")).toMatchObject({ status: "finished" });
  });

  test("it works as fixer, and as reviewer where the user allows it", async () => {
    const honest = { env: { TARGETS: JSON.stringify([join(repo.dir, "a.txt")]) } };
    expect(await run(agent("none", honest), "fixer")).toMatchObject({ status: "finished" });
    expect(await run(agent("none", { unsandboxed: "allowed" }), "reviewer")).toMatchObject({ status: "finished" });
  });
});

test.runIf(works)("with a sandbox it runs where the user wants one", async () => {
  const ran = await run(agent("config", { sandbox: "required" }), "reviewer");
  expect(ran).toMatchObject({ status: "finished" });
});

test.runIf(works)("what a command is started with can be read inside", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "anneal-stand-in-")));
  try {
    const command = standIn(folder, [{ stdout: ["played"] }]);
    const ran = await run(agent("none", { command, writable: [folder] }), "reviewer");
    expect(ran).toMatchObject({ status: "finished", text: "played\n" });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.runIf(works).for(["none", "config"] as const)(
  "a program of the repository starts over a copy of it, where the repository itself is not seen (%s)",
  async (readOnly) => {
    repo.commit({ "a.txt": "two\n" });
    repo.write({ "mine.sh": "#!/bin/sh\necho played\n" });
    chmodSync(join(repo.dir, "mine.sh"), 0o755);
    const copy = join(outside, "copy");
    mkdirSync(copy);
    const [base, head] = [repo.git("rev-parse", "HEAD~1"), repo.git("rev-parse", "HEAD")];
    const hidden = { within: [], hides: () => false };
    await readingCopy(await openRepo(repo.dir), { path: copy, base, head, branch: "b", message: "Title", hidden });
    const request: AgentRequest = { role: "reviewer", prompt: "", cwd: copy, limits: { timeoutMs: 60_000 } };
    const played = agent(readOnly, { command: [join(repo.dir, "mine.sh")] });
    expect(await played.run(request, new AbortController().signal)).toMatchObject({
      status: "finished",
      text: "played\n",
    });
  },
);

test("files of instructions are found in every folder but the top, and links by what they lead to", () => {
  using tree = makeRepo({ "AGENTS.md": "", "a/AGENTS.md": "", "a/b/AGENTS.md": "", "a/b/other.md": "", "real.md": "" });
  mkdirSync(join(tree.dir, "links"));
  symlinkSync("../real.md", join(tree.dir, "links", "AGENTS.md"));
  mkdirSync(join(tree.dir, "astray"));
  symlinkSync("/etc/hosts", join(tree.dir, "astray", "AGENTS.md"));
  symlinkSync("nowhere", join(tree.dir, "a", "CONTEXT.md"));
  expect(instructionsIn(tree.dir, ["AGENTS.md", "CONTEXT.md"]).toSorted()).toEqual([
    "a/AGENTS.md",
    "a/b/AGENTS.md",
    "real.md",
  ]);
  expect(instructionsIn(tree.dir, [])).toEqual([]);
});
