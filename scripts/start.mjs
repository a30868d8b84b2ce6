// `npm start`: installs, builds, and serves a project with a link to log in. Works on the system's Node 20.
import { spawn } from "node:child_process";
import { install, node, nodePath, root, tool } from "./bootstrap.mjs";

const args = process.argv.slice(2);
if (args.includes("--help") || args.includes("-h")) {
  console.log(`npm start                            install, build, and serve a small sample project
npm start -- --project PATH/TO/REPO  a repository of your own instead; several at once are fine
npm start -- --open                  open the browser, logged in
npm start -- --demo                  no server: watch a whole loop in this terminal
npm start -- --demo --keep           and leave its git project on disk, to look around in it
npm start -- --help                  this text

The server prints a link that logs one browser in, once. Ctrl+C parks what runs; it goes on at the next start.
--port and --host say where it listens: npx anneal serve --help.

The demo makes a small git project in a temporary folder with a feature branch that holds real flaws, and runs the
whole loop on it with the embedded reviewer and fixer: review, fix, commit, review again, until the branch has earned
its way out. Nothing here needs a key, or a network after the install.

Then try it on a repository of your own, from this folder:
  npx anneal -C PATH/TO/REPO review   review its current branch
  npx anneal review --help            the staged changes, the working tree, policies, formats
  npx anneal policies                 the five ways to decide
  npx anneal doctor                   what is installed and what is missing`);
  process.exit(0);
}

install();
node(["scripts/bundle.mjs"], "The build failed.");
tool("vite", ["build", "apps/ui", "--logLevel", "warn"], "The pages could not be built.");
if (args.includes("--demo")) node(["apps/cli/bin/anneal.js", "demo", ...args.filter((arg) => arg !== "--demo")]);
else {
  const sample = args.some((arg) => arg === "--project" || arg.startsWith("--project=")) ? [] : ["--sample"];
  const argv = ["apps/cli/bin/anneal.js", "serve", ...sample, ...args];
  const server = spawn(nodePath(), argv, { cwd: root, stdio: "inherit" });
  server.on("exit", (code) => {
    process.exitCode = code ?? 1;
  });
  // A terminal tells the server itself of Ctrl+C; other signals reach only this process.
  process.on("SIGINT", () => {});
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => server.kill("SIGTERM"));
}
