import { problemText } from "@anneal/core/epics";
import { describe, expect, test } from "vitest";
import { readEpic } from "./read-epic.ts";
import { BUCKET_FILE, LIMITS, sampleEpic } from "./testing/sample-epic.ts";

async function epicOf(yaml?: string, files?: Record<string, string>) {
  using folder = sampleEpic(yaml, files);
  const read = await readEpic(folder.file);
  if (!read.ok) throw new Error(read.problems.map(problemText).join("\n"));
  return read;
}

describe("an epic that can be run", () => {
  test("has its id, its coordination requirements and its tickets with all their fields", async () => {
    const { epic, notes } = await epicOf();
    expect(epic).toMatchObject({
      id: "limits",
      title: "limits",
      path: ".epics/limits/limits.epic.yaml",
      rollbackOnFailure: true,
    });
    expect(epic.tickets.map(({ id, dependsOn, critical }) => `${id}(${dependsOn}) ${critical}`)).toEqual([
      "config() true",
      "bucket(config) true",
      "headers(config) false",
      "route(bucket,headers) true",
    ]);
    expect(epic.tickets[0]).toMatchObject({
      title: "Read limits from the configuration",
      path: ".epics/limits/tickets/config.md",
      description: "Read limits from the configuration",
      acceptanceCriteria: ["Limits are read at start"],
      filesToModify: ["src/config.ts"],
    });
    expect(notes).toEqual([]);
  });

  test("keeps unknown keys, of the epic and of its tickets", async () => {
    const { epic } = await epicOf();
    expect(epic.source).toMatchObject({ owner: "kept" });
    expect(epic.tickets[0]?.source).toMatchObject({ estimate: 2 });
    expect(epic.tickets[0]?.text).toContain("estimate: 2");
  });

  test("hands function profiles, structure, prohibited changes, context and constraints to builders and reviewers", async () => {
    const { coordination } = (await epicOf()).epic;
    expect(coordination).toContain(
      "function_profiles:\n    Bucket:\n      take_token:\n        arity: 2\n        intent: Take one token",
    );
    for (const words of [
      "breaking_changes_prohibited:\n    - The route table",
      "Nobody counts calls today.",
      "- No new service",
      "src: limits/",
    ]) {
      expect(coordination).toContain(words);
    }
    expect(coordination).not.toContain("tickets:");
  });

  test("joins a ticket's file to the YAML: lists of either hold, the file's description goes first, nothing is lost", async () => {
    const { epic } = await epicOf(LIMITS, { "tickets/bucket.md": BUCKET_FILE });
    const bucket = epic.tickets.find(({ id }) => id === "bucket");
    expect(bucket).toMatchObject({
      title: "Token bucket",
      description: "One bucket per key, with a clock that tests can hold still.",
      acceptanceCriteria: ["The 11th call is refused", "A bucket fills again after a second"],
      filesToModify: ["src/limits/bucket.ts"],
      dependsOn: ["config"],
    });
    expect(bucket?.text).toBe(`A token bucket per key\n\n${BUCKET_FILE.trim()}`);
  });

  test.for([
    {
      what: "a dependency that only the file has",
      file: "## Dependencies\n\n- bucket\n",
      item: { dependsOn: ["config", "bucket"] },
    },
    {
      what: "front matter",
      file: "---\nname: headers\ndepends_on: [bucket]\ncritical: true\n---\n# x\n",
      item: { dependsOn: ["config", "bucket"], critical: true },
    },
    { what: "a file that calls it critical", file: "**Critical:** true\n", item: { critical: true } },
    { what: "front matter that is empty", file: "---\n---\n# Wait\n", item: { title: "Wait", dependsOn: ["config"] } },
  ])("counts $what", async ({ file, item }) => {
    const { epic } = await epicOf(LIMITS, { "tickets/headers.md": file });
    expect(epic.tickets[2]).toMatchObject(item);
  });

  test.for([
    { what: "epic instead of name", yaml: LIMITS.replace("name: limits", "epic: limits"), title: "limits" },
    {
      what: "a title for a name",
      yaml: LIMITS.replace("name: limits", "epic: Call limits, first part"),
      title: "Call limits, first part",
    },
    { what: "a byte order mark", yaml: `\uFEFF${LIMITS}`, title: "limits" },
    { what: "Windows line ends", yaml: LIMITS.replaceAll("\n", "\r\n"), title: "limits" },
    { what: "tickets with an id instead of a name", yaml: LIMITS.replaceAll("  - name:", "  - id:"), title: "limits" },
    { what: "keys without a value", yaml: LIMITS.replace("dependencies: []", "dependencies:"), title: "limits" },
    { what: "comments", yaml: `# plan\n${LIMITS}# end\n`, title: "limits" },
  ])("may have $what", async ({ yaml, title }) => {
    const { epic } = await epicOf(yaml);
    expect(epic).toMatchObject({ id: "limits", title });
    expect(epic.tickets.map(({ id }) => id)).toEqual(["config", "bucket", "headers", "route"]);
    expect(epic.coordination).toContain("The service is public.\n  Nobody counts calls today.");
  });

  test("sentences with a colon are sentences, as people mean them", async () => {
    const { epic } = await epicOf(
      "name: limits\nobjectives:\n  - For keys: count calls\ntickets:\n  - name: a\n    acceptance_criteria:\n      - Works: always\n",
    );
    expect(epic.source.objectives).toEqual(["For keys: count calls"]);
    expect(epic.tickets[0]?.acceptanceCriteria).toEqual(["Works: always"]);
  });

  test("a ticket that does not say so is critical, and an epic that does not say so keeps finished work", async () => {
    const { epic } = await epicOf("name: limits\ntickets: [{name: a, description: x}]\n");
    expect(epic).toMatchObject({ rollbackOnFailure: false, tickets: [{ critical: true }] });
  });

  test("says that dependencies of the epic itself have no effect", async () => {
    const text = "name: limits\ndepends_on: [f1]\ntickets: [{name: a, description: x}]\n";
    expect((await epicOf(text)).notes).toEqual([
      ".epics/limits/limits.epic.yaml:2: depends_on of the epic itself has no effect: write it into the tickets that depend on others",
    ]);
  });

  test("says which ticket files nobody lists, and which dependencies name no ticket", async () => {
    const { notes } = await epicOf(LIMITS, {
      "tickets/stray.md": "# Stray\n",
      "tickets/config.md": "## Dependencies\n\n- A running database\n",
    });
    expect(notes).toEqual([
      ".epics/limits/tickets/config.md:3: unknown dependency, ignored: A running database",
      ".epics/limits/tickets/stray.md:1: the epic does not list this ticket",
    ]);
  });
});
