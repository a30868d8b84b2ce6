import { spawnSync } from "node:child_process";
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
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { endLeftovers } from "../processes/leftovers.ts";
import { probeSandbox } from "../sandbox/probe.ts";
import { runCommand } from "./command.ts";

function tempFolder(): { dir: string } & Disposable {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "anneal-command-")));
  return { dir, [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }) };
}

/** A killed process without a parent that waits for it stays listed, as a zombie. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

const pidIn = (path: string) => Number(readFileSync(path, "utf8"));
const sh = (script: string) => ["sh", "-c", script] as const;
const plenty = { timeoutMs: 60_000 };

describe("a command", () => {
  test.for<{ what: string; argv: readonly [string, ...string[]]; status: unknown; output?: string }>([
    { what: "that succeeds", argv: sh("echo out; echo err >&2"), status: 0, output: "out\nerr\n" },
    { what: "that fails", argv: sh("echo no; exit 7"), status: 7, output: "no\n" },
    { what: "that ends by a signal", argv: sh("kill -SEGV $$"), status: 139 },
    { what: "that does not exist", argv: ["no-such-program-here"], status: "not-found" },
    {
      what: "whose arguments look like shell",
      argv: ["printf", "%s", "$(id) `id` ; |"],
      status: 0,
      output: "$(id) `id` ; |",
    },
    { what: "that waits for input which nobody gives", argv: ["cat"], status: 0, output: "" },
  ])("$what has status $status", async ({ argv, status, output }) => {
    using folder = tempFolder();
    const result = await runCommand(argv, { cwd: folder.dir, ...plenty });
    expect(result).toMatchObject({
      status,
      sandboxed: "none",
      kept: "all",
      ...(output === undefined ? {} : { output }),
    });
  });

  test("gets no key of ours, but what it is given", async () => {
    using folder = tempFolder();
    process.env.SOME_TOKEN = "very-secret";
    const { output } = await runCommand(["env"], { cwd: folder.dir, ...plenty, env: { GIVEN: "yes" } });
    delete process.env.SOME_TOKEN;
    expect(output).toContain("GIVEN=yes");
    expect(output).not.toContain("very-secret");
  });

  test("reads its input, and one that does not read it is no error", async () => {
    using folder = tempFolder();
    const input = `${"é".repeat(200_000)}\n`;
    expect(await runCommand(["wc", "-c"], { cwd: folder.dir, ...plenty, input })).toMatchObject({ output: "400001\n" });
    expect(await runCommand(["true"], { cwd: folder.dir, ...plenty, input })).toMatchObject({ status: 0 });
  });

  test("arrives while it runs, by stream, with no character cut apart", async () => {
    using folder = tempFolder();
    const heard: [string, string][] = [];
    const script = "printf '\\303'; echo go >&2; until [ -e go ]; do :; done; printf '\\251'";
    const result = await runCommand(sh(script), {
      cwd: folder.dir,
      ...plenty,
      onOutput: (text, stream) => {
        heard.push([stream, text]);
        if (stream === "stderr") writeFileSync(join(folder.dir, "go"), "");
      },
    });
    expect(heard).toEqual([
      ["stderr", "go\n"],
      ["stdout", "é"],
    ]);
    expect(result.output).toBe("go\né");
  });

  test("that prints without end keeps the last part, and the result says so", async () => {
    using folder = tempFolder();
    const result = await runCommand(sh("seq 1 100000"), { cwd: folder.dir, ...plenty, keepChars: 12 });
    expect(result).toMatchObject({ output: "9999\n100000\n", kept: "end" });
  });
});

describe("a command is ended", () => {
  test("when its time is up", async () => {
    using folder = tempFolder();
    const result = await runCommand(sh("echo started; sleep 60"), { cwd: folder.dir, timeoutMs: 300 });
    expect(result).toMatchObject({ status: "timed-out" });
  });

  test("when it is silent for too long, but not while it talks", async () => {
    using folder = tempFolder();
    const result = await runCommand(sh("for i in 1 2 3 4 5 6; do echo $i; sleep 0.3; done; sleep 60"), {
      cwd: folder.dir,
      ...plenty,
      silenceMs: 1500,
    });
    expect(result).toMatchObject({ status: "silent", output: "1\n2\n3\n4\n5\n6\n" });
  });

  test("on request, also before it has started", async () => {
    using folder = tempFolder();
    const stop = new AbortController();
    const options = { cwd: folder.dir, ...plenty, signal: stop.signal, onOutput: () => stop.abort() };
    expect(await runCommand(sh("echo started; sleep 60"), options)).toMatchObject({ status: "cancelled" });
    expect(await runCommand(sh("sleep 60"), options)).toMatchObject({ status: "cancelled" });
  });
});

const ESCAPES = {
  "in the same group": "sleep 600 & echo $! > pid",
  "in a session of its own": "setsid sh -c 'echo $$ > pid; exec sleep 600' &",
  "as a daemon that nobody is the parent of": "(setsid sh -c 'echo $$ > pid; exec sleep 600' &) &",
};

describe.runIf(process.platform === "linux")("nothing outlives a command", () => {
  const escapes = Object.entries(ESCAPES).map(([how, script]) => ({ how, script }));

  test.for(escapes)("that is ended: a child $how", async ({ script }) => {
    using folder = tempFolder();
    const stop = new AbortController();
    const all = `${script} until [ -s pid ]; do :; done; echo ready; sleep 600`.replace("pid until", "pid; until");
    const options = { cwd: folder.dir, ...plenty, signal: stop.signal, onOutput: () => stop.abort() };
    expect(await runCommand(sh(all), options)).toMatchObject({ status: "cancelled", output: "ready\n" });
    expect(isRunning(pidIn(join(folder.dir, "pid")))).toBe(false);
  });

  test.for(escapes)("that ends by itself, and it does not wait for them: a child $how", async ({ script }) => {
    using folder = tempFolder();
    const all = `${script} until [ -s pid ]; do :; done; exit 3`.replace("pid until", "pid; until");
    expect(await runCommand(sh(all), { cwd: folder.dir, ...plenty })).toMatchObject({ status: 3 });
    expect(isRunning(pidIn(join(folder.dir, "pid")))).toBe(false);
  });

  test("not even of a process that was killed, once the leftovers of its folder are ended", async () => {
    using folder = tempFolder();
    const command = new URL("./command.ts", import.meta.url).href;
    const script = `const { runCommand } = await import(${JSON.stringify(command)});
      const kill = () => process.kill(process.pid, "SIGKILL");
      await runCommand(["sh", "-c", "setsid sh -c 'echo $$ > pid; echo x; exec sleep 600'"], { cwd: ${JSON.stringify(folder.dir)}, timeoutMs: 60000, onOutput: kill });`;
    const killed = spawnSync(process.execPath, ["--input-type=module", "-e", script]);
    expect(killed.signal).toBe("SIGKILL");
    const pid = pidIn(join(folder.dir, "pid"));
    expect(isRunning(pid)).toBe(true);
    using other = tempFolder();
    endLeftovers(other.dir);
    expect(isRunning(pid)).toBe(true);
    endLeftovers(folder.dir);
    await expect.poll(() => isRunning(pid), { timeout: 20_000 }).toBe(false);
  });
});

const probe = await probeSandbox();
if (probe.state !== "works") console.warn(`SKIPPED: the tests of the sandbox, because ${probe.reason}`);

describe.runIf(probe.state === "works")("a sandboxed command", () => {
  const boxed = { ...plenty, sandbox: "auto" as const };

  test("says so, runs in its folder, and gives exit code and both streams", async () => {
    using folder = tempFolder();
    const result = await runCommand(sh("pwd; echo err >&2; exit 5"), { cwd: folder.dir, ...boxed });
    expect(result).toMatchObject({ status: 5, sandboxed: "bwrap", output: `${folder.dir}\nerr\n` });
    expect(result).not.toHaveProperty("notSandboxed");
  });

  test("can write its folder, a private /tmp and a private home, and nothing else", async () => {
    using folder = tempFolder();
    using neighbour = tempFolder();
    const home = process.env.HOME ?? "";
    const name = `anneal-test-${process.pid}`;
    const places = [".", "/tmp", home, neighbour.dir, "/etc", "/usr/local", "/var", "/run/lock"];
    const script = places.map((place) => `touch ${place}/${name} 2>/dev/null && echo ${place}`).join("; ");
    const { output } = await runCommand(sh(`${script}; true`), { cwd: folder.dir, ...boxed });
    expect(output.trim().split("\n")).toEqual([".", "/tmp", home]);
    expect(places.slice(1).filter((place) => existsSync(join(place, name)))).toEqual([]);
    expect(existsSync(join(folder.dir, name))).toBe(true);
  });

  test("sees neither the files of the home folder nor those in /tmp, but what it may read", async () => {
    using folder = tempFolder();
    using neighbour = tempFolder();
    writeFileSync(join(neighbour.dir, "file"), "readable");
    const home = process.env.HOME ?? "";
    const secret = join(home, `.anneal-test-${process.pid}`);
    writeFileSync(secret, "very-secret");
    try {
      const script = `cat ${secret}; cat ${neighbour.dir}/file; echo more >> ${neighbour.dir}/file`;
      const shut = await runCommand(sh(script), { cwd: folder.dir, ...boxed });
      expect(shut.output).not.toMatch(/very-secret|readable/);
      const open = await runCommand(sh(script), { cwd: folder.dir, ...boxed, readable: [neighbour.dir] });
      expect(open.output).toContain("readable");
      expect(readFileSync(join(neighbour.dir, "file"), "utf8")).toBe("readable");
    } finally {
      rmSync(secret);
    }
  });

  test("cannot change the git directory of its folder", async () => {
    using folder = tempFolder();
    mkdirSync(join(folder.dir, ".git/hooks"), { recursive: true });
    const { status } = await runCommand(sh("echo evil > .git/hooks/pre-commit"), { cwd: folder.dir, ...boxed });
    expect(status).not.toBe(0);
    expect(existsSync(join(folder.dir, ".git/hooks/pre-commit"))).toBe(false);
  });

  test("cannot make the machine writable again", async () => {
    using folder = tempFolder();
    const { status } = await runCommand(sh("mount -o remount,rw,bind / / && touch /etc/x"), {
      cwd: folder.dir,
      ...boxed,
    });
    expect(status).not.toBe(0);
  });

  test("has no network unless it is allowed, but a loopback of its own", async () => {
    using folder = tempFolder();
    const server = createServer((_, response) => response.end("hello")).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    const ask = `fetch("http://127.0.0.1:${port}").then((r) => r.text()).then(console.log, () => console.log("unreachable"))`;
    const own = `require("http").createServer((_, r) => r.end("own")).listen(0, "127.0.0.1", function () {
      fetch("http://127.0.0.1:" + this.address().port).then((r) => r.text()).then((t) => { console.log(t); process.exit(0) }) })`;
    const node = (script: string) => [process.execPath, "-e", script] as const;
    const answers = [
      await runCommand(node(ask), { cwd: folder.dir, ...boxed }),
      await runCommand(node(ask), { cwd: folder.dir, ...boxed, network: "allowed" }),
      await runCommand(node(own), { cwd: folder.dir, ...boxed }),
    ];
    server.close();
    expect(answers.map(({ output }) => output.trim())).toEqual(["unreachable", "hello", "own"]);
  });

  test("is ended with all that it started", async () => {
    using folder = tempFolder();
    const stop = new AbortController();
    const mark = `6${process.pid}.5`;
    const result = await runCommand(sh(`setsid sleep ${mark} & echo ready; wait`), {
      cwd: folder.dir,
      ...boxed,
      signal: stop.signal,
      onOutput: () => stop.abort(),
    });
    expect(result).toMatchObject({ status: "cancelled", sandboxed: "bwrap" });
    const processes = () => spawnSync("ps", ["-eo", "args"], { encoding: "utf8" }).stdout;
    await expect.poll(processes, { timeout: 20_000 }).not.toContain(`sleep ${mark}`);
  });

  test("may lie where others see nothing, also behind a link", async () => {
    using folder = tempFolder();
    using tools = tempFolder();
    mkdirSync(join(tools.dir, "real/bin"), { recursive: true });
    mkdirSync(join(tools.dir, "links"));
    writeFileSync(join(tools.dir, "real/bin/tool"), `#!/bin/sh\ncat ${tools.dir}/real/data\n`);
    writeFileSync(join(tools.dir, "real/data"), "of the tool");
    chmodSync(join(tools.dir, "real/bin/tool"), 0o755);
    symlinkSync("../real/bin/tool", join(tools.dir, "links/tool"));
    const env = { PATH: `${join(tools.dir, "links")}:${process.env.PATH}` };
    for (const program of ["tool", join(tools.dir, "links/tool"), join(tools.dir, "real/bin/tool")]) {
      const result = await runCommand([program], { cwd: folder.dir, ...boxed, env });
      expect(result).toMatchObject({ status: 0, output: "of the tool" });
    }
  });

  test("that does not exist is not found", async () => {
    using folder = tempFolder();
    const result = await runCommand(["no-such-program-here"], { cwd: folder.dir, ...boxed });
    expect(result).toMatchObject({ status: "not-found" });
  });
});

test("where bubblewrap is missing, a command runs without it, and the result says so", async () => {
  using folder = tempFolder();
  const path = process.env.PATH;
  const found = spawnSync("sh", ["-c", "command -v sh"], { encoding: "utf8" }).stdout.trim();
  symlinkSync(found, join(folder.dir, "sh"));
  process.env.PATH = folder.dir;
  try {
    const result = await runCommand(sh("echo ran"), { cwd: folder.dir, ...plenty, sandbox: "auto" });
    expect(result).toMatchObject({
      status: 0,
      output: "ran\n",
      sandboxed: "none",
      notSandboxed: expect.stringContaining("not installed"),
    });
  } finally {
    process.env.PATH = path;
  }
});
