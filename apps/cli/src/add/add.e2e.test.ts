import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { project } from "../testing/project.ts";

describe("anneal add", () => {
  test.concurrent("prints the id alone, and the feature is in the backlog with all that was said", async () => {
    using here = project({ f1: { steps: [] } });
    here.write({ "spec.md": "# Spec\n" });
    const run = await here.anneal(
      ...["add", "Add logout", "--description", "A button.", "--spec", "spec.md", "--policy", "adversarial"],
      ...["--model", "opus", "--depends", "f1", "--skip-tests", "--priority", "1", "--branch", "logout"],
    );
    expect(run).toMatchObject({ code: 0, stderr: "" });
    expect(run.stdout).toMatch(/^feature-\d{13}-[a-z0-9]{9}\n$/);
    expect(here.feature(run.stdout.trim())).toEqual({
      id: run.stdout.trim(),
      title: "Add logout",
      category: "Uncategorized",
      description: "A button.",
      status: "backlog",
      spec: "# Spec\n",
      priority: 1,
      dependencies: ["f1"],
      model: "opus",
      policy: "adversarial",
      branchName: "logout",
      skipTests: true,
    });
  });

  test.concurrent("--json prints the feature; the title is its description where none is given", async () => {
    using here = project({});
    const { stdout } = await here.anneal("add", "Add logout", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ title: "Add logout", description: "Add logout", status: "backlog" });
  });

  test.concurrent("an end of an id that no other has is enough to depend on it", async () => {
    using here = project({});
    const first = (await here.anneal("add", "One")).stdout.trim();
    const second = (await here.anneal("add", "Two", "--depends", first.slice(-9))).stdout.trim();
    expect(here.feature(second)).toMatchObject({ dependencies: [first] });
  });

  test.concurrent.for([
    { what: "no title", args: [], message: "a title is required" },
    { what: "a title without quotes", args: ["Add", "logout"], message: 'anneal add "Add logout"' },
    { what: "an unknown dependency", args: ["T", "--depends", "nope"], message: "nothing is called nope" },
    { what: "an unknown policy", args: ["T", "--policy", "nope"], message: 'unknown policy "nope"; known: gate' },
    {
      what: "a spec that is not there",
      args: ["T", "--spec", "no.md"],
      message: "cannot read the specification no.md",
    },
    { what: "a priority that is no number", args: ["T", "--priority", "high"], message: "--priority takes a number" },
    { what: "an unknown option", args: ["T", "--nope"], message: "see anneal add --help" },
  ])("$what exits 2 and adds nothing", async ({ args, message }) => {
    using here = project({});
    const run = await here.anneal("add", ...args);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toContain(message);
    expect((await here.anneal("status", "--json")).stdout).toBe("[]\n");
  });
});

/** In a namespace of its own everybody may mount a small disk, where the system allows that. */
const NAMESPACE = ["unshare", "--user", "--map-root-user", "--mount"] as const;
const canMount = spawnSync(NAMESPACE[0], [...NAMESPACE.slice(1), "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).status === 0;

describe.skipIf(!canMount)("anneal add on a full disk says so, and adds nothing", () => {
  test.concurrent.for([
    { what: "no room for text", options: "size=64k", fill: "dd if=/dev/zero of=ballast bs=4096 2>/dev/null" },
    {
      what: "no room for another name",
      options: "nr_inodes=4",
      fill: "while mkdir $((n += 1)) 2>/dev/null; do :; done",
    },
  ])("$what", ({ options, fill }) => {
    using here = project({});
    const [disk, bin] = [join(here.dir, ".automaker"), fileURLToPath(new URL("../../bin/anneal.js", import.meta.url))];
    const script = `mount -t tmpfs -o ${options} tmpfs "$1" && cd "$1" && { ${fill}; cd ..; "$2" "$3" add One; }`;
    const [program, ...args] = [...NAMESPACE, "sh", "-c", script, "sh", disk, process.execPath, bin];
    const { status, stdout, stderr } = spawnSync(program, args, {
      encoding: "utf8",
      cwd: here.dir,
      env: { PATH: process.env.PATH, HOME: here.dir },
    });
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(
      /^anneal add: \S+\/\.automaker\/features\S* was not written, and is as it was before; the disk is full: free some space on it, then try again\n$/,
    );
  });
});
