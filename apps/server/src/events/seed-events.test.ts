import { expect, test } from "vitest";
import { addForge, selfReviews } from "../testing/forge.ts";
import { build, fix, loopWorld } from "../testing/loop-world.ts";
import { listen } from "../testing/server-world.ts";
test("probe", async () => {
  await using world = await loopWorld(2);
  const forge = await addForge(world);
  const stream = await listen(world, { project: world.project, since: "0" });
  world.script("f1", [build("a.js", "export const a = 1;\n"),
    selfReviews("needs_work", "Not yet.", [{ severity: "high", category: "security", file: "a.js", lineStart: 1, description: "Anything gets in." }]),
    fix("a.js", "export const a = 2;\n"), selfReviews("pass", "Good."), fix("a.js", "export const a = 3;\n"), selfReviews("pass", "Good.")]);
  await world.run("f1", ["awaiting-feedback"]);
  await forge.as("alice").comment(1, "Please do not accept two here.", { file: "a.js", line: 1 });
  await world.reached("f1", ["waiting-for-human"]);
  await forge.as("alice").review(1, { state: "approved", body: "Good." });
  await world.reached("f1", ["ended"]);
  world.script("f2", [build("b.js", "1;\n")]);
  await world.run("f2", ["waiting-for-human"]);
  console.log(stream.frames.filter(f => !f.type.startsWith("loop:")).map(f => f.seq + " " + f.type + " " + JSON.stringify(f.payload)).join("\n"));
  expect(1).toBe(1);
});
