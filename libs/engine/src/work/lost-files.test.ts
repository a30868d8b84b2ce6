import { openRepo } from "@anneal/git";
import { afterAll, describe, expect, test } from "vitest";
import { type Files, makeRepo } from "../../../git/src/testing/make-repo.ts";
import { lostFiles } from "./lost-files.ts";

const TEST = 'test("adds", () => {\n  assert.equal(add(1, 2), 3);\n});\n';
const MOVED = "A test file was renamed or moved";
const GONE = "A test file is gone";
const UNREADABLE = "A test file cannot be read any more";
const SETTINGS = "The configuration of which tests run was changed";

const made = makeRepo({
  "add.js": "good\n",
  "add.test.js": TEST,
  "notes/add.md": "hi\n",
  "ci/test.sh": "node --test\n",
  "ci/taken.js": "tests\n",
  "package.json": '{"scripts":{"test":"node --test"}}\n',
  Makefile: "test:\n",
});
afterAll(() => made.remove());
const base = made.git("rev-parse", "HEAD");
const broken = {
  "add.js": "broken\n",
  "more.test.js": `${TEST}// more\n`,
  "vitest.config.js": "1\n",
  Makefile: "all:\n",
  "ci/taken.js": null,
};
const refused = made.commit(broken);

describe("after red checks, a fix", () => {
  test.for<{ what: string; fix: Files; says: string[] }>([
    { what: "deletes the test file", fix: { "add.test.js": null }, says: [GONE] },
    { what: "deletes what it tests, too", fix: { "add.test.js": null, "add.js": null }, says: [GONE] },
    { what: "deletes a file of a like name, too", fix: { "add.test.js": null, "notes/add.md": null }, says: [GONE] },
    { what: "moves it to vendor/", fix: { "add.test.js": null, "vendor/add.test.js": TEST }, says: [MOVED] },
    { what: "moves it to fixtures/", fix: { "add.test.js": null, "fixtures/add.test.js": TEST }, says: [MOVED] },
    { what: "renames it as another test", fix: { "add.test.js": null, "add.spec.js": TEST }, says: [MOVED] },
    { what: "puts a NUL byte into it", fix: { "add.test.js": "/*\0*/\n" }, says: [UNREADABLE] },
    { what: "makes it a link", fix: { "add.test.js": { link: "add.js" } }, says: [UNREADABLE] },
    { what: "changes the script", fix: { "package.json": '{"scripts":{"test":"true"}}\n' }, says: [SETTINGS] },
    { what: "brings settings", fix: { "sub/pytest.ini": "[pytest]\n" }, says: [SETTINGS] },
    { what: "changes what the command names", fix: { "ci/test.sh": "true\n" }, says: [SETTINGS] },
    { what: "brings what the command names", fix: { "ci/late.test.js": TEST }, says: [] },
    { what: "changes settings further", fix: { Makefile: "none:\n" }, says: [SETTINGS] },
    { what: "brings otherwise what the change took", fix: { "ci/taken.js": "true\n" }, says: [SETTINGS] },
    { what: "puts settings back", fix: { Makefile: "test:\n" }, says: [] },
    { what: "drops a test file of the change", fix: { "more.test.js": null }, says: [] },
    { what: "corrects settings of the change", fix: { "vitest.config.js": "2\n" }, says: [] },
    { what: "edits a test", fix: { "add.test.js": TEST.replace("3", "4") }, says: [] },
    { what: "mends the code", fix: { "add.js": "good again\n", "notes/add.md": null }, says: [] },
  ])("that $what", async ({ fix, says }) => {
    made.git("checkout", "--quiet", "--detach", refused);
    const tree = made.git("rev-parse", `${made.commit(fix)}^{tree}`);
    const checks = { testCommand: "sh ./ci/test.sh ci/late.test.js ci/taken.js" };
    const found = await lostFiles(await openRepo(made.dir), { base, checks }, { refused, tree });
    expect(found.map(({ title }) => title)).toEqual(says);
  });
});
