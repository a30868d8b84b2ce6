import { cliAgent } from "../cli-agent.ts";

/** A stand-in that prints its variables, and what every process that it can see was started with. */
const SPY = `
const { readdirSync, readFileSync } = require("node:fs");
const own = JSON.stringify(process.env);
const others = readdirSync("/proc").filter((name) => /^\\d+$/.test(name)).map((pid) => {
  try { return readFileSync("/proc/" + pid + "/environ", "utf8"); } catch { return ""; }
});
let parent = "";
try { parent = readFileSync("/proc/" + process.ppid + "/environ", "utf8"); } catch {}
const has = (text) => text.includes("hunter2-hunter2") ? "known" : "unknown";
console.log(["own: " + has(own), "parent: " + has(parent), "others: " + has(others.join("\\0"))].join("; "));
`;

/** Started as a process of its own, with a secret among its variables: runs the spy as an agent of the kind and role it is told. */
const [readOnly, role, cwd = "."] = process.argv.slice(2);
const agent = cliAgent(
  {
    name: "spy",
    capabilities: { schema: "prompted", readOnly: readOnly as "none" | "config", cost: "none", streaming: "none" },
    program: "spy",
    install: "There is none.",
    env: [],
    launch: () => ({ args: [] }),
    transcript: () => ({
      line: () => [],
      end: (exit, text) => ({ status: exit === 0 ? "finished" : "failed", text, usage: {} }),
    }),
  },
  { command: [process.execPath, "-e", SPY], unsandboxed: "allowed" },
);
const request = { role: role as "reviewer" | "fixer", prompt: "", cwd, limits: { timeoutMs: 60_000 } };
const { text, error } = await agent.run(request, new AbortController().signal);
process.stdout.write(text || `failed: ${error}`);
