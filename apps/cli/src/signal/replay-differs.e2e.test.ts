import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { approve, project, reject, writes } from "../testing/project.ts";

const weak = writes("implementer", "export const ok = (p) => true;\n");
const fix = (n: number) => writes("fixer", `export const ok = (p) => p.length > ${n};\n`);

test("a loop whose log does not fit the rules of today holds up no other, says so, and can be stopped", async () => {
  using here = project({
    f1: { steps: [weak, reject, fix(1), reject, fix(2), reject] },
    f2: { steps: [weak, approve] },
  });
  await here.anneal("run", "f1");
  const database = new DatabaseSync(join(here.dir, ".git/anneal/log.db"));
  database.exec("UPDATE events SET stage = 'merging' WHERE type = 'reviewed'");
  database.close();

  const refused = await here.anneal("resume", "f1");
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toContain("resume is not possible while waiting (replay-differs); possible: stop");
  const status = (await here.anneal("status")).stdout;
  expect(status).toContain("the log of this loop does not fit the current rules");
  const other = await here.anneal("run", "--all");
  expect(other.stdout).toContain("f2");
  expect(other.stderr).not.toContain("the log says");
  expect(JSON.parse((await here.anneal("show", "f2", "--json")).stdout)).toMatchObject({ loop: { outcome: "passed" } });

  expect(await here.anneal("stop", "f1")).toMatchObject({ code: 0 });
  expect((await here.anneal("history", "f1")).stdout).toContain("replay-differed");
  await here.anneal("run", "f1");
  expect((await here.anneal("show", "f1", "--json")).stdout).toContain("f1~2");
});
