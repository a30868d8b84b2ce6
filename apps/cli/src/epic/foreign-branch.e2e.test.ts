import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as given from "../../../../libs/engine/src/golden/testing/sample-epics.ts";
import { project } from "../testing/project.ts";

const TICKETS = { bucket: {}, route: { after: ["bucket"] }, page: { after: ["route"] } };

test.concurrent.for([{ ticket: "bucket" }, { ticket: "route" }])(
  "commits of somebody on ticket/$ticket are told before anything starts; renamed, they are in nobody's way",
  async ({ ticket }) => {
    using here = project({}, { settings: { testCommand: "test -d src" } });
    here.commit({ "src/index.js": "export {};\n", ...given.epicFiles(TICKETS) }, "the epic");
    for (const id of Object.keys(TICKETS)) {
      const steps = given.playedBy(id, [given.build(id), given.pass]);
      here.write({ [`.automaker/scripts/limits/${id}.json`]: JSON.stringify({ name: "scripted", steps }) });
    }
    const branch = `ticket/${ticket}`;
    here.git("switch", "--quiet", "--create", branch);
    here.commit({ "src/mine.js": "export {};\n" }, "mine");
    const mine = here.git("rev-parse", "--short=12", "HEAD");
    here.git("switch", "--quiet", "main");
    here.git("branch", "ticket/page", "main");

    const said = `.epics/limits/limits.epic.yaml:1: the branch ${branch} has commits that a new loop would drop (${mine}); rename it with git branch -m ${branch} NAME`;
    for (const args of [["run"], ["run", "--dry-run"], ["resume"]]) {
      const [verb = "", ...options] = args;
      expect(await here.anneal("epic", verb, "limits", ...options), args.join(" ")).toMatchObject({
        code: 2,
        stdout: "",
        stderr: `anneal epic: ${said}\n`,
      });
    }
    const { stdout: imported } = await here.anneal("import", ".");
    expect(imported).toContain(`✘ ${said}\n`);
    expect(imported).not.toContain("→ anneal epic run");
    expect(existsSync(join(here.dir, ".git/anneal/log.db"))).toBe(false);
    expect(here.git("for-each-ref", "refs/anneal", "refs/heads/epic")).toBe("");
    expect((await here.anneal("epic", "status", "limits")).code).toBe(0);

    here.git("branch", "-m", branch, "mine");
    const run = await here.anneal("epic", "run", "limits");
    expect(run.code, run.stderr).toBe(0);
  },
);
