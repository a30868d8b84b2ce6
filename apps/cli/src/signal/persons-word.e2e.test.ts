import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { createAutomationToken } from "@anneal/engine/people";
import type { Right } from "@anneal/types";
import { afterAll, describe, expect, test } from "vitest";
import { ANNEAL, anneal, annealOnTerminal, hasTerminal } from "../testing/anneal.ts";
import { approve, type Project, project, writes } from "../testing/project.ts";

const work = writes("implementer", "export const ok = (p) => p.length > 7;\n");
const waits = { steps: [work, approve], skipTests: true };
const NOBODY = { ANNEAL_TOKEN: undefined };
const MADE: string[] = [];
afterAll(() => {
  for (const folder of MADE) rmSync(folder, { recursive: true, force: true });
});

/** A data folder with one token in it, as a run is given it. */
async function tokenFor(rights: Right[], { ended = false } = {}): Promise<NodeJS.ProcessEnv> {
  const data = mkdtempSync(join(tmpdir(), "anneal-data-"));
  MADE.push(data);
  const at = ended ? Date.now() - 7_200_000 : Date.now();
  const text = await createAutomationToken({ name: "ci", rights, until: at + 3_600_000, by: "ada", at }, data);
  return { ANNEAL_TOKEN: text, DATA_DIR: data };
}

/** The words that the log holds. */
async function said(here: Project): Promise<object[]> {
  const { stdout } = await here.anneal("history", "--json");
  const events = stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  return events
    .flatMap(({ event = {}, ...rest }) => [{ ...rest, ...event }])
    .filter(({ type }) => type === "signalled");
}

describe("what a person says, where nobody sits at a terminal", () => {
  test.concurrent.for([
    ...["approve", "accept", "one-more", "take-over", "skip"].map((word) => ({ word, args: [word, "f1"] })),
    { word: "trust", args: ["trust", "--yes"] },
  ])("is refused in one line that says what to do: $word", async ({ word, args }) => {
    using here = project({ f1: waits }, { env: NOBODY, settings: { testCommand: "true" } });
    await here.anneal("run", "f1");
    const { code, stdout, stderr } = await here.anneal(...args);
    expect([code, stdout, stderr]).toEqual([
      2,
      "",
      expect.stringMatching(
        `^anneal \\S+: ${word} needs a person, and standard input is not a terminal: use a terminal or the board, or set ANNEAL_TOKEN \\(anneal token create NAME --right ${word}\\)\n$`,
      ),
    ]);
    expect(await said(here)).toEqual([]);
  });

  test.concurrent.for<{ what: string; rights: Right[]; ended?: boolean; says: RegExp }>([
    { what: "has ended", rights: ["approve"], ended: true, says: /the token in ANNEAL_TOKEN has expired/ },
    { what: "may say something else", rights: ["dismiss"], says: /the token ci does not have the right approve/ },
  ])("is refused with a token that $what", async ({ rights, says, ...how }) => {
    using here = project({ f1: waits });
    await here.anneal("run", "f1");
    const run = await anneal(here.dir, ["approve", "f1"], await tokenFor(rights, how));
    expect([run.code, run.stderr]).toEqual([2, expect.stringMatching(says)]);
    expect(here.feature("f1").status).toBe("waiting_approval");
  });

  test.concurrent("is taken with a token that may say it, and the log says whose", async () => {
    using here = project({ f1: waits });
    await here.anneal("run", "f1");
    expect(await anneal(here.dir, ["approve", "f1"], await tokenFor(["approve"]))).toMatchObject({ code: 0 });
    expect(await said(here)).toMatchObject([{ signal: "approve", by: "ci", via: "token" }]);
  });

  test.concurrent("only steers or reports in the name of the account, and of nobody that a variable names", async () => {
    using here = project({ f1: waits }, { env: NOBODY });
    await here.anneal("run", "f1");
    expect(await anneal(here.dir, ["stop", "f1"], { ...NOBODY, USER: "the-boss" })).toMatchObject({ code: 0 });
    const [stop] = await said(here);
    expect(stop).toMatchObject({ signal: "stop", by: userInfo().username });
    expect(stop).not.toHaveProperty("via");
  });
});

describe.runIf(hasTerminal)("at a terminal", () => {
  test.concurrent("a person's word is taken, and the log says so", async () => {
    using here = project({ f1: waits });
    await here.anneal("run", "f1");
    const run = await annealOnTerminal(here.dir, ["approve", "f1"], NOBODY);
    expect(run.code, run.stdout).toBe(0);
    expect(await said(here)).toMatchObject([{ signal: "approve", by: userInfo().username, via: "terminal" }]);
  });

  test.concurrent("a token is made, listed and revoked; away from one it is not", async () => {
    using here = project({ f1: waits });
    await here.anneal("run", "f1");
    const data = mkdtempSync(join(tmpdir(), "anneal-data-"));
    MADE.push(data);
    const env = { ...NOBODY, DATA_DIR: data };
    const create = ["token", "create", "nightly", "--right", "approve", "--until", "2h"];
    expect(await anneal(here.dir, create, env)).toMatchObject({
      code: 2,
      stderr: "anneal token: a new token needs a person at a terminal\n",
    });
    const made = await annealOnTerminal(here.dir, create, env);
    const [text] = /anneal_[\w-]{43}/.exec(made.stdout) ?? [];
    expect([made.code, text]).toEqual([0, expect.any(String)]);
    const list = await anneal(here.dir, ["token", "list"], env);
    expect(list.stdout).toMatch(/^nightly {2}until \d{4}-\d\d-\d\dT\d\d:\d\dZ {2}by \S+ {2}approve\n$/);
    expect(await anneal(here.dir, ["token", "revoke", "nightly"], env)).toMatchObject({ code: 0 });
    const late = await anneal(here.dir, ["approve", "f1"], { ...env, ANNEAL_TOKEN: text });
    expect([late.code, late.stderr]).toEqual([2, expect.stringContaining("has expired or is unknown")]);
  });
});

/** What an agent would try that found this program and all that lies about: each credential by itself, and none at all. */
function attack(repo: string, log: string): string {
  const [node, bin] = ANNEAL;
  return `#!/bin/sh
say() { env -u ANNEAL_RUN "$@" "${node}" "${bin}" -C "${repo}" approve f1 >> "${log}" 2>&1; echo "code $?" >> "${log}"; }
echo begun >> "${log}"
for token in $(cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | grep '^ANNEAL_TOKEN=' | cut -d= -f2 | sort -u); do
  echo "found a token" >> "${log}"
  for data in $(cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | grep '^DATA_DIR=' | cut -d= -f2 | sort -u); do
    say ANNEAL_TOKEN="$token" DATA_DIR="$data"
  done
done
say
say ANNEAL_TOKEN="$ANNEAL_TOKEN"
command -v script > /dev/null && say script --quiet --return --command "${node} ${bin} -C ${repo} approve f1" /dev/null
exit 0
`;
}

const works = spawnSync("bwrap", ["--version"]).status === 0;

describe.runIf(process.platform === "linux")("what a loop started", () => {
  test.concurrent.for([
    { box: "in its box", path: process.env.PATH ?? "", runs: works },
    { box: "out of a box", path: withoutSandbox(), runs: true },
  ])("cannot approve $box, with every credential that it finds", async ({ box, path, runs }) => {
    if (!runs) return;
    using here = project({ f1: waits, f2: { steps: [work, approve] } }, { settings: { testCommand: "sh attack.sh" } });
    here.commit({ "attack.sh": "exit 0\n", ".gitignore": ".automaker/\nattack.log\n" });
    await anneal(here.dir, ["run", "f1"]);
    const log = box === "in its box" ? "attack.log" : join(here.dir, "attack.log");
    here.commit({ "attack.sh": attack(here.dir, log) });
    const run = await anneal(here.dir, ["run", "f2"], { PATH: path });
    expect(run.code, run.stderr).toBe(0);
    const file = box === "in its box" ? join(here.worktree("f2"), log) : log;
    const tried = readFileSync(file, "utf8");
    expect(tried).toContain("begun");
    if (box === "out of a box")
      expect(tried).toMatch(/found a token\n[\s\S]*programs that a loop started cannot send signals/);
    expect(tried).not.toContain("code 0");
    expect(here.feature("f1").status).toBe("waiting_approval");
    expect(await said(here)).toEqual([]);
  });
});

/** A PATH with all that is on ours but the sandbox. */
function withoutSandbox(): string {
  const folder = mkdtempSync(join(tmpdir(), "anneal-path-"));
  MADE.push(folder);
  const path = join(folder, "bwrap");
  writeFileSync(path, "#!/bin/sh\necho none >&2\nexit 1\n");
  chmodSync(path, 0o755);
  return `${folder}:${process.env.PATH}`;
}
