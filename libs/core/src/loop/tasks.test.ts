import { describe, expect, test } from "vitest";
import { POLICIES } from "../policies/index.ts";
import { bad, Play } from "../testing/build.ts";

describe("work in tasks", () => {
  const unit = (tasks = ["1", "2"]) => new Play(POLICIES.advisory, { tasks });

  test("builds, checks and commits one task after another, and reviews them together", () => {
    const play = unit().build();
    expect(play.state).toMatchObject({ stage: "implementing", head: "c1", tasks: ["2"] });
    expect(play.build().state).toMatchObject({ stage: "reviewing", head: "c2", tasks: [] });
  });

  test("a task whose check passes without a change is done", () => {
    const play = unit().build().implement(false);
    expect(play.where).toBe("validating");
    play.validate().feed({ type: "nothing-to-commit", at: 9 });
    expect(play.state).toMatchObject({ stage: "reviewing", head: "c1", tasks: [] });
  });

  test("a task whose check fails goes to the fixer, and only then to the next", () => {
    const play = unit().implement().validate("failed");
    expect(play.state).toMatchObject({ stage: "fixing", cause: "validation" });
    expect(play.mend().state).toMatchObject({ stage: "implementing", tasks: ["2"], repairs: 0 });
  });

  test("tasks that change nothing at all leave nothing to review", () => {
    const nothing = { type: "nothing-to-commit", at: 9 } as const;
    const play = unit(["1"]).implement(false).validate().feed(nothing);
    expect(play.where).toBe("waiting: no-change");
    expect(play.signal("retry").state).toMatchObject({ stage: "implementing", tasks: ["1"] });
  });

  test("after the first review a fix is a fix, not a task", () => {
    const play = unit(["1"]).build().review(bad("high", 1)).fix().validate();
    expect(play.commit().where).toBe("merging");
  });

  test.for(["advisory", "adversarial"] as const)(
    "%s never delivers a half-built unit: breaks and failing checks end at a person",
    (name) => {
      const half = () => new Play(POLICIES[name], { tasks: ["1", "2", "3"] }).build();
      const broken = half();
      for (let n = 0; n < 5; n += 1) broken.breaks();
      expect(broken.state.stage).toBe("waiting-for-human");
      const failing = half().implement().validate("failed").fix().validate("failed").fix().validate("failed");
      expect(failing.state).toMatchObject({ stage: "waiting-for-human", tasks: ["2", "3"] });
      expect(failing.signal("retry").state.stage).not.toBe("merging");
    },
  );
});
