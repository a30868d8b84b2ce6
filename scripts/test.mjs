// `npm test`: everything that `npm run check` does, and every suite. Closes with one line that counts the tests.
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { installAgents } from "./agents.mjs";
import { install, root, tool } from "./bootstrap.mjs";
import { wantBubblewrap } from "./bubblewrap.mjs";
import { needChromium } from "./chromium.mjs";
import { keepTempInMemory } from "./fast-temp.mjs";
import { staticChecks } from "./static-checks.mjs";

const results = join(root, ".cache", "tests.json");
rmSync(results, { force: true });
install();
installAgents();
needChromium();
wantBubblewrap();
staticChecks();
tool("vite", ["build", "apps/ui", "--logLevel", "warn"], "The pages could not be built.");
process.on("exit", printCounts);
keepTempInMemory();
tool("vitest", [
  "run",
  "--reporter=default",
  "--reporter=json",
  `--outputFile.json=${results}`,
  ...process.argv.slice(2),
]);

function printCounts() {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(readFileSync(results, "utf8"));
    for (const { assertionResults } of testResults)
      for (const { status, fullName, failureMessages } of assertionResults)
        if (status === "passed" && failureMessages.length > 0)
          console.log(`\nneeded a second try: ${fullName}\n  ${failureMessages[0].split("\n", 1)[0]}`);
    console.log(`\ntests: ${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`);
  } catch {
    console.log("\nThe test run left no results.");
  }
}
