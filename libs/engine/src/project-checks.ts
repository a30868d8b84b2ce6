import { runCommand } from "@anneal/adapters/command";
import type { Repo } from "@anneal/adapters/git";
import type { Checks } from "./loop-work.ts";

interface CheckSettings {
  testCommand?: string | string[] | undefined;
  testTimeoutMs?: number | undefined;
}

const TEST_TIMEOUT_MS = 20 * 60_000;

/** The project's own test command as the checks of a loop; a project without one has none. */
export function projectChecks(repo: Repo, settings: CheckSettings): Checks {
  const { testCommand = [] } = settings;
  const [program, ...args] = typeof testCommand === "string" ? testCommand.split(/\s+/) : testCommand;
  if (program === undefined) return async () => ({ result: "not-configured", findings: [] });
  return async (signal) => {
    const timeoutMs = settings.testTimeoutMs ?? TEST_TIMEOUT_MS;
    const { status, output } = await runCommand([program, ...args], { cwd: repo.root, timeoutMs, signal });
    if (status === 0) return { result: "passed", findings: [] };
    const how = typeof status === "number" ? `exit code ${status}` : status;
    const title = `\`${[program, ...args].join(" ")}\` fails (${how})`;
    const description = output.trim().split("\n").slice(-30).join("\n");
    return {
      result: "failed",
      findings: [{ rule: "project-check", category: "testing", severity: "high", title, description }],
    };
  };
}
