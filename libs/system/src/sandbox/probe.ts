import { spawn } from "node:child_process";
import { realpath, rm } from "node:fs/promises";
import { scrubbedEnvironment } from "../processes/environment.ts";
import { ownTemporary } from "../processes/temporary.ts";
import { bubblewrap } from "./bubblewrap.ts";

export type SandboxProbe = { state: "works"; program: string } | { state: "missing" | "broken"; reason: string };

const probes = new Map<string, Promise<SandboxProbe>>();

/** Whether commands can be shut in on this machine; tried out once. */
export function probeSandbox(): Promise<SandboxProbe> {
  const path = process.env.PATH ?? "";
  const known = probes.get(path) ?? tryOut("bwrap");
  probes.set(path, known);
  return known;
}

async function tryOut(program: string): Promise<SandboxProbe> {
  const folder = await realpath(await ownTemporary("probe"));
  const args = bubblewrap({ cwd: folder, home: folder, env: scrubbedEnvironment() });
  try {
    return await new Promise<SandboxProbe>((resolve) => {
      const child = spawn(program, [...args, "--", "sh", "-c", "true"], { stdio: ["ignore", "ignore", "pipe"] });
      let complaint = "";
      child.stderr.on("data", (chunk: Buffer) => (complaint += chunk.toString("utf8")));
      child.on("error", () => resolve({ state: "missing", reason: "bubblewrap (bwrap) is not installed" }));
      child.on("close", (code) => {
        const reason = `bubblewrap does not work here: ${complaint.trim().split("\n")[0] || `exit code ${code}`}`;
        resolve(code === 0 ? { state: "works", program } : { state: "broken", reason });
      });
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
