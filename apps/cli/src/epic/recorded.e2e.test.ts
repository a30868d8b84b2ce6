import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as given from "../../../../libs/engine/src/golden/testing/sample-epics.ts";
import { type Project, project } from "../testing/project.ts";

const FILE = ".epics/limits/limits.epic.yaml";

/** An epic of which epic-state.json calls the ticket bucket completed, at this commit. */
function recorded(git_info: (commit: string) => object | null): Project {
  const here = project({}, { settings: { testCommand: "test -d src" } });
  here.commit(
    { "src/index.js": "export {};\n", ...given.epicFiles({ bucket: {}, route: { after: ["bucket"] } }) },
    "the epic",
  );
  const baseline_commit = here.git("rev-parse", "main");
  here.git("switch", "--quiet", "--create", "ticket/bucket");
  here.commit({ "src/bucket.js": "export {};\n" }, "by nobody");
  const bucket = { status: "completed", git_info: git_info(here.git("rev-parse", "HEAD")) };
  here.git("switch", "--quiet", "main");
  const state = { epic_id: "limits", baseline_commit, epic_branch: "epic/limits", status: "in-progress" };
  here.write({ [given.STATE]: `${JSON.stringify({ ...state, tickets: { bucket } }, null, 2)}\n` });
  const steps = given.playedBy("route", [given.build("route"), given.pass]);
  here.write({ ".automaker/scripts/limits/route.json": JSON.stringify({ name: "scripted", model: "m-1", steps }) });
  return here;
}

describe("a ticket that only epic-state.json calls completed", () => {
  const MARK = `! bucket is NOT REVIEWED: only ${given.STATE} marks it completed\n`;

  test.concurrent("is marked as not reviewed by a dry run, a run, status, show and the certificates", async () => {
    using here = recorded((final_commit) => ({ final_commit }));
    expect((await here.anneal("epic", "run", FILE, "--dry-run")).stdout).toContain(
      "  bucket  Build bucket: completed already, NOT REVIEWED\n",
    );
    const run = await here.anneal("epic", "run", FILE);
    expect(run.code, run.stderr).toBe(0);
    expect(run.stderr).toContain(
      "ticket:limits/route: this work builds on tickets that only epic-state.json calls completed, without a review: ticket:limits/bucket\n",
    );
    expect(run.stdout).toContain(`Epic limits: completed, 2 of 2 tickets completed\n${MARK}`);
    const status = await here.anneal("epic", "status", "limits");
    expect(status.stdout).toMatch(/ticket:limits\/bucket +Build bucket +completed \(by hand\)/);
    expect(status.stdout).toContain(MARK);
    for (const key of ["ticket:limits/route", "epic:limits"]) {
      expect(JSON.parse((await here.anneal("export", key)).stdout)).toMatchObject({
        unreviewed: ["ticket:limits/bucket"],
      });
      expect((await here.anneal("show", key)).stdout).toMatch(
        /built on +ticket:limits\/bucket, which no review passed/,
      );
    }
  });
});

describe("a completed ticket whose final commit is of no use is told with file and line, and nothing is started", () => {
  const ways = "set final_commit to the commit with its work, or its status to pending";
  const unknown = "1234567890123456789012345678901234567890";
  test.concurrent.for<{ what: string; git_info: object | null; line: number; says: string }>([
    {
      what: "an unknown id",
      git_info: { final_commit: unknown },
      line: 10,
      says: `final_commit ${unknown} of ticket bucket is not a full commit id of this repository`,
    },
  ])("$what", async ({ git_info, line, says }) => {
    using here = recorded(() => git_info);
    const problem = `${given.STATE}:${line}: ${says}: ${ways}`;
    for (const args of [["run"], ["run", "--dry-run"], ["resume"], ["status"]]) {
      const [verb = "", ...options] = args;
      expect(await here.anneal("epic", verb, FILE, ...options), args.join(" ")).toMatchObject({
        code: 2,
        stdout: "",
        stderr: `anneal epic: ${problem}\n`,
      });
    }
    const found = await here.anneal("import", ".");
    expect(found.code).toBe(1);
    expect(found.stdout).toContain(`✘ ${problem}\n`);
    expect(found.stdout).not.toContain("→ anneal epic run");
    expect(existsSync(join(here.dir, ".git/anneal/log.db"))).toBe(false);

    const one = await here.anneal("run", "ticket:limits/route");
    expect(one.code).not.toBe(0);
    expect(`${one.stdout}${one.stderr}`).toContain(problem);
    expect(here.git("branch", "--format=%(refname:short)")).toBe("main\nticket/bucket");
  });
});
