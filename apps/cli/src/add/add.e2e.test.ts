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
    { what: "no title", args: [], message: "say what you want" },
    { what: "a title without quotes", args: ["Add", "logout"], message: 'anneal add "Add logout"' },
    { what: "an unknown dependency", args: ["T", "--depends", "nope"], message: "there is nothing called nope" },
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
