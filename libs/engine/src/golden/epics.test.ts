import { describe, expect, test, vi } from "vitest";
import { expectGolden } from "./testing/golden-file.ts";
import { asked } from "./testing/listen.ts";
import type { Section } from "./testing/picture.ts";
import * as given from "./testing/sample-epics.ts";

vi.mock(import("@anneal/adapters/scripted"), async (load) =>
  (await import("./testing/listen.ts")).listening(await load()),
);

const TWO = { bucket: {}, route: { after: ["bucket"] } };
const route = [given.build("route"), given.pass];

async function sample(bucket: object[]): Promise<given.EpicsProject> {
  asked.length = 0;
  return await given.epicsProject(TWO, { bucket, route });
}

/** What the reviewer of a round, or the builder of a revision, was given about this ticket. */
function promptsOf(role: string, from: string): Section[] {
  const prompts = asked.splice(0).filter((one) => one.role === role && one.prompt.includes("Build bucket"));
  return prompts.map(({ prompt }, at): Section => {
    const mark = /BEGIN DATA (\S+):/.exec(prompt)?.[1] ?? "no mark";
    const text = prompt.slice(prompt.indexOf(from)).replaceAll(mark, "NONCE");
    return [`What the ${role} was told, ${at + 1} of ${prompts.length}`, [text]];
  });
}

describe("an epic leaves the files, states, commits and branches that seed 002 names", () => {
  test("when its reviews pass at once", async () => {
    const project = await sample([given.build("bucket"), given.pass]);
    const { settled, broken, blocked } = await project.runEpic();
    expect({ broken: [...broken], blocked, troubles: project.troubles }).toEqual({
      broken: [],
      blocked: [],
      troubles: [],
    });
    expect(settled.get("epic:limits")).toMatchObject({ stage: "ended", outcome: "merged" });
    expectGolden("epics/pass-at-once", await given.epicPicture(project, promptsOf("reviewer", "# Review Request")));
  });

  test("when a review fails, its builder revises the work, and the next review passes", async () => {
    const project = await sample([
      given.build("bucket"),
      given.fail("a burst"),
      given.revise("bucket", "call.count < 10"),
      given.pass,
    ]);
    const { settled } = await project.runEpic();
    expect(settled.get("epic:limits")).toMatchObject({ stage: "ended", outcome: "merged" });
    expectGolden("epics/fail-fix-pass", await given.epicPicture(project, promptsOf("fixer", "# Ticket:")));
  });

  test("when two revisions are used up", async () => {
    const project = await sample([
      given.build("bucket"),
      given.fail("a burst"),
      given.revise("bucket", "call.count < 10"),
      given.fail("a slow burst"),
      given.revise("bucket", "call.count < 9"),
      given.fail("a very slow burst"),
    ]);
    const { settled, blocked } = await project.runEpic();
    expect([...settled.keys()]).toEqual(["ticket:limits/bucket"]);
    expect(blocked).toEqual([
      {
        id: "ticket:limits/route",
        because: expect.stringContaining(
          "it depends on ticket:limits/bucket, which is not done and not running: start it with anneal run ticket:limits/bucket",
        ),
      },
    ]);
    expectGolden("epics/run-out", await given.epicPicture(project));

    // A person has it done anew: the reviews so far stay in its history, and the rest of the epic goes on.
    const old = project.repo.git("rev-parse", "ticket/bucket");
    project.plan("limits/bucket", { steps: [given.build("bucket", "call.count < 8"), given.pass] });
    const again = await project.runEpic();
    expect(again.settled.get("epic:limits")).toMatchObject({ stage: "ended", outcome: "merged" });
    const { status, tickets } = project.state();
    expect([status, tickets.bucket?.status, tickets.route?.status]).toEqual(["completed", "completed", "completed"]);
    expect(tickets.bucket?.review_history?.map(({ attempt, status: was }) => `${attempt} ${was}`)).toEqual([
      "0 fail",
      "1 fail",
      "2 fail",
      "3 pass",
    ]);
    expect(tickets.bucket).toMatchObject({ revision_count: 0, review_approved: true, failure_reason: null });
    expect(project.repo.git("for-each-ref", "--format=%(objectname)", "refs/anneal/kept")).toBe(old);
    expect(project.repo.git("rev-parse", "ticket/bucket~1")).toBe(project.repo.git("rev-parse", "main"));
  });

  test("when a review cannot be read, again and again", async () => {
    const babble = { role: "reviewer", answer: "I had a look and it seems fine to me!" };
    const project = await sample([given.build("bucket"), babble, babble, babble, babble]);
    const { settled } = await project.runEpic();
    expect(settled.get("ticket:limits/bucket")).toMatchObject({ stage: "waiting-for-human", reason: "review-broke" });
    expectGolden("epics/review-breaks", await given.epicPicture(project));

    // A branch that somebody moves away is not reviewed either; put back, the ticket goes on.
    project.plan("limits/bucket", { steps: [given.build("bucket"), given.pass], repeatLast: true });
    const reviewed = project.repo.git("rev-parse", "ticket/bucket");
    const away = () => project.repo.git("update-ref", "refs/heads/ticket/bucket", "main");
    await project.say("ticket:limits/bucket", "retry");
    const moved = await project.runEpic({ onEvent: ({ event }) => event.type === "intended" && away() });
    expect(moved.settled.get("ticket:limits/bucket")).toMatchObject({
      reason: "review-broke",
      detail: expect.stringMatching(/^The commit [0-9a-f]{40} is not on the branch ticket\/bucket$/),
    });
    await project.say("ticket:limits/bucket", "retry");
    const { broken } = await project.runEpic();
    expect(broken.get("ticket:limits/bucket")?.message).toContain(
      "the branch ticket/bucket has moved since the loop last used it",
    );
    project.repo.git("update-ref", "refs/heads/ticket/bucket", reviewed);
    expect((await project.runEpic()).settled.get("epic:limits")).toMatchObject({ outcome: "merged" });
    expect(project.state().tickets.bucket).toMatchObject({ status: "completed", revision_count: 0 });
  });
});
