import { parseArgs } from "node:util";
import { UsageError } from "@anneal/engine";
import { onStop } from "../interruptible.ts";
import { harmlessLine } from "../style.ts";
import { warnUnboxed } from "../unboxed.ts";
import { openBrowser } from "./open-browser.ts";

const help = `anneal serve: run the server for the board, CI and other tools

  anneal serve                       this project, on http://127.0.0.1:7733
  anneal serve --project DIR …       other projects; can be repeated

  --port N       another port; 0 picks a free one
  --host HOST    another address; if other machines can reach it, set a token in ANNEAL_TOKEN
  --name NAME    another name that browsers use for it, such as review.example, or with the port of a proxy in front
                 of it, review.example:8443; with --host 0.0.0.0 it accepts this machine's own names and addresses
  --open         open the browser, logged in
  --sample       serve a small sample project with scripted agents instead; it is kept in the data folder

It owns its projects: it continues interrupted loops, and runs what the board or anneal run asks for.
It prints a link that logs in one browser, once; Enter prints another. Tools send the token (server-token in the data folder) as
X-API-Key: it reads, reports and steers. Decisions need a browser that is logged in, or an automation token (anneal token).
/api/docs describes every route. Ctrl-C parks the loops; they continue at the next start.
`;

async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      project: { type: "string", multiple: true },
      open: { type: "boolean", default: false },
      sample: { type: "boolean", default: false },
      port: { type: "string", default: "7733" },
      host: { type: "string", default: "127.0.0.1" },
      name: { type: "string", multiple: true, default: [] },
    },
  });
  if (positionals.length > 0)
    throw new UsageError(`name projects with --project: anneal serve --project ${positionals[0]}`);
  const { serve } = await import("@anneal/server");
  const { stdout, stderr } = process;
  const stopped = untilStopped();
  const server = await serve({
    host: values.host,
    names: values.name.map(nameIn),
    port: portIn(values.port),
    projects: await projectsIn(values),
    token: process.env.ANNEAL_TOKEN,
    onLine: (line) => void stderr.write(`${harmlessLine(line)}\n`),
  });
  stdout.write(
    `Anneal listens on ${server.url}\n  log in:    ${server.loginUrl()}\n  routes:    ${server.url}/api/docs\n`,
  );
  await warnUnboxed("serve");
  const enter = onEnter("prints another link", () => `  log in:    ${server.loginUrl()}`);
  if (values.open) openBrowser(server.loginUrl());
  await stopped;
  enter.stop();
  stderr.write("parking the loops…\n");
  await server.close();
  return 0;
}

async function projectsIn({ project, sample }: { project?: string[] | undefined; sample: boolean }): Promise<string[]> {
  if (!sample) return project ?? ["."];
  const { sampleProject } = await import("./sample-project.ts");
  const { dataDirectory } = await import("@anneal/server");
  return [...(project ?? []), await sampleProject(dataDirectory())];
}

/** A browser that was closed is logged out: whoever sits at this terminal gets another link. */
function onEnter(does: string, line: () => string): { stop(): void } {
  const { stdin, stdout } = process;
  if (stdin.isTTY !== true) return { stop: () => {} };
  const print = () => void stdout.write(`${line()}\n`);
  stdout.write(`  Enter ${does}\n`);
  stdin.on("data", print);
  return {
    stop: () => {
      stdin.off("data", print);
      stdin.pause();
    },
  };
}

function nameIn(text: string): string {
  if (/^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i.test(text)) return text;
  throw new UsageError(`--name takes a name with or without a port, such as review.example:8443, not "${text}"`);
}

function portIn(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new UsageError(`--port takes a number from 0 to 65535, not "${text}"`);
}

function untilStopped(): Promise<void> {
  return new Promise((resolve) => onStop(resolve));
}

export const command = { help, run };
