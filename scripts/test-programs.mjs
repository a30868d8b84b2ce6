// What the suites start as processes, over and over: bundled once, they start in a fifth of the time.
import { globSync } from "node:fs";
import { basename, join } from "node:path";
import { root } from "./bootstrap.mjs";
import { bundle, bundleCli } from "./bundle.mjs";

export async function setup() {
  const programs = globSync(join(root, "libs", "*", "src", "**", "testing", "*-child.ts"));
  const named = Object.fromEntries(programs.map((file) => [basename(file, ".ts"), file]));
  if (Object.keys(named).length < programs.length)
    throw new Error(`Two programs have one name: ${programs.join(", ")}`);
  await Promise.all([bundleCli(), bundle(named, join(root, ".cache", "programs"))]);
}
