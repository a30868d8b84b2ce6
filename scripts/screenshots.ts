// `node scripts/screenshots.ts`: the pictures in docs/screenshots, of the built pages over real loops.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  approves,
  build,
  fix,
  hangs,
  type LoopWorld,
  loopWorld,
  rejects,
} from "../apps/server/src/testing/loop-world.ts";
import { launch } from "../apps/ui/flows/testing/chromium.ts";
import { addEpic, addStory, runBeside, setSettings } from "../apps/ui/flows/testing/plans.ts";
import * as epic from "../libs/engine/src/golden/testing/sample-epics.ts";
import * as story from "../libs/engine/src/golden/testing/sample-stories.ts";

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof launch>>["newPage"]>>;

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const PICTURES = join(ROOT, "docs/screenshots");

// What the sample projects name runs without asking.
process.env.ANNEAL_TRUST = "all";

const TITLES = [
  "Sign in with a password",
  "Reset a forgotten password",
  "Remember the device for thirty days",
  "Limit the attempts to sign in",
  "Export the audit log",
  "Send a mail after the first visit",
  "Sign out everywhere",
];

const SCREENS: Record<string, { path: string; shows: (page: Page) => Promise<void> }> = {
  board: { path: "", shows: (page) => page.getByText("needs you").first().waitFor() },
  review: { path: "/review/f2", shows: choosesFinding },
  scorecard: {
    path: `/review/${encodeURIComponent("ticket:limits/bucket")}?tab=history`,
    shows: (page) => page.getByRole("region", { name: "Scorecard of round 2" }).waitFor(),
  },
  settings: { path: "/settings/prompts", shows: (page) => page.locator("textarea").first().waitFor() },
  analytics: { path: "/analytics", shows: (page) => page.locator("canvas").first().waitFor() },
  escalation: {
    path: `/review/${encodeURIComponent("story:2.1")}`,
    shows: (page) => page.getByText(/Open after round/).waitFor(),
  },
};

await using world = await loopWorld(TITLES.length, { pages: join(ROOT, "apps/ui/dist/") });
await makeProject(world);
mkdirSync(PICTURES, { recursive: true });
const browser = await launch();
for (const theme of ["dark", "light"] as const) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: theme, locale: "en-US" });
  await page.addInitScript(() =>
    localStorage.setItem("anneal", JSON.stringify({ state: { toured: true }, version: 0 })),
  );
  await page.goto(world.server.loginUrl());
  for (const [name, { path, shows }] of Object.entries(SCREENS)) {
    await page.goto(`${world.server.url}/p/${world.project}${path}`);
    await shows(page);
    await page.getByText("live", { exact: true }).waitFor();
    await page.waitForLoadState("networkidle");
    await page.screenshot({ path: join(PICTURES, `${name}-${theme}.png`) });
    process.stdout.write(`docs/screenshots/${name}-${theme}.png\n`);
  }
}
await browser.close();

/** A finding with its line in the diff. */
async function choosesFinding(page: Page): Promise<void> {
  await page
    .getByRole("region", { name: /^Blocks/ })
    .getByRole("button")
    .first()
    .click();
  await page.getByText("createHash").first().waitFor();
}

/** A project in which loops stand everywhere that they can stand. */
async function makeProject(world: LoopWorld): Promise<void> {
  for (const [at, title] of TITLES.entries()) {
    const id = `f${at + 1}`;
    const feature = { id, title, description: `${title}.`, status: "backlog", skipTests: id === "f7" };
    writeFileSync(join(world.root, `.automaker/features/${id}/feature.json`), JSON.stringify(feature));
  }
  setSettings(world, { maxConcurrency: 6 });
  world.script("f1", [
    build("src/login.js", LOGIN("true")),
    rejects("src/login.js", "Every password is let in", "The error names the user"),
    fix("src/login.js", LOGIN("word.length >= 12")),
    approves,
  ]);
  world.script("f2", [
    build("src/reset.js", RESET("token")),
    on(rejects("src/reset.js", "The token is kept as it is", "A token never ends", "The mail is sent twice"), 9, 8, 10),
    fix("src/reset.js", RESET("hash(token)")),
    on(rejects("src/reset.js", "A token never ends", "Old tokens stay valid"), 8, 9),
    fix("src/reset.js", RESET("hash(token), endsAt")),
    on(rejects("src/reset.js", "Old tokens stay valid"), 9),
  ]);
  world.script("f3", [build("src/device.js", "export const days = 30;\n"), hangs]);
  world.script("f4", [{ role: "implementer", end: "hang" }]);
  world.script("f7", [build("src/out.js", "export const out = () => sessions.clear();\n"), approves]);
  addStory(world, "2.1", "Lend books to readers", [
    story.implement,
    ...[1, 2, 3].flatMap((round) => [story.findings(round, [1, 2, 1]), story.fixElsewhere(`round ${round}`)]),
  ]);
  const { build: builds, fail, pass, revise } = epic;
  addEpic(world, { bucket: {} }, { bucket: [builds("bucket"), fail("bucket"), revise("bucket", "null"), pass] });
  await world.run("f1", ["ended"]);
  await world.run("f7", ["waiting-for-human"]);
  await world.run("f2", ["waiting-for-human"]);
  await runBeside(world, "story:2.1", ["waiting-for-human"]);
  await runBeside(world, "ticket:limits/bucket", ["ended"]);
  await world.run("f3", ["reviewing"]);
  await world.run("f4", ["implementing"]);
}

/** The same review with its findings on these lines, in their order. */
function on(review: ReturnType<typeof rejects>, ...lines: number[]): object {
  const answer = lines.reduce((text, line) => text.replace("Line: 1\n", `Line: ${line}\n`), review.answer);
  return { ...review, answer };
}

function LOGIN(test: string): string {
  return `export const login = (name, word) => users.has(name) && ${test};\n`;
}

function RESET(kept: string): string {
  return `import { createHash, randomBytes } from "node:crypto";

const hash = (token) => createHash("sha256").update(token).digest("hex");

/** Sends a link that lets somebody choose another password. */
export async function reset(mail, now = Date.now()) {
  const token = randomBytes(32).toString("base64url");
  const endsAt = now + 3_600_000;
  await tokens.keep(mail, ${kept});
  await send(mail, \`/reset?token=\${token}\`);
}
`;
}
