import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { answer, faultServer, plays } from "../../../../libs/adapters/src/notify/testing/fault-server.ts";
import { mailServer } from "../../../../libs/adapters/src/notify/testing/mail-server.ts";
import { anneal } from "../testing/anneal.ts";
import { project, writes } from "../testing/project.ts";

const own = (dir: string, notifications: object) => {
  const data = join(dir, ".git", "own-data");
  mkdirSync(data, { recursive: true });
  writeFileSync(join(data, "settings.json"), JSON.stringify({ version: 4, notifications }));
  return data;
};

/** A project whose person has set up notifications. */
function withChannels(notifications: object, env: NodeJS.ProcessEnv = {}, steps: object[] = []) {
  const here = project({ login: { steps } });
  const whole = { USER: "ada", ...env, ANNEAL_DATA_DIR: own(here.dir, notifications) };
  return { ...here, anneal: (...args: string[]) => anneal(here.dir, args, whole) };
}

describe("anneal notify", () => {
  test.concurrent("lists every channel with what it lacks, and names settings that cannot work", async () => {
    using here = project({}, { settings: { reviewLoop: { notificationChannels: ["github", "email"] } } });
    const { code, stdout } = await here.anneal("notify");
    expect(code).toBe(1);
    for (const line of [/^✔ github +tells: ready$/m, /^· slack +Slack has no webhook address: set /m, /^· webhook /m])
      expect(stdout).toMatch(line);
    expect(stdout).toMatch(/^! reviewLoop\.notificationChannels: e-mail is not set up: /m);
    const asData = JSON.parse((await here.anneal("notify", "--json")).stdout);
    expect(asData.channels).toHaveLength(6);
    expect(asData.problems).toHaveLength(1);
  });

  test.concurrent("sends a test over all that is set up, and shows what became of it, without secrets", async () => {
    await using slack = await faultServer(plays.ok);
    await using broken = await faultServer(answer(404));
    await using mail = await mailServer({ login: { user: "ada", pass: "pass-word-1" } });
    const email = { from: "anneal@shop.example", to: ["ada@shop.example"] };
    using here = withChannels(
      { slack: { webhookUrl: slack.url }, email, webhook: { url: broken.url } },
      { ANNEAL_SMTP_URL: mail.url },
    );
    const { code, stdout, stderr } = await here.anneal("notify", "test");
    expect(code).toBe(1);
    expect(stdout).toMatch(/^✔ slack +sent$/m);
    expect(stdout).toMatch(/^✔ email +sent$/m);
    expect(stdout).toMatch(/^✘ webhook +not sent: it answered 404$/m);
    expect(stdout).toMatch(/^✘ github +not sent: the project has no remote/m);
    expect(mail.mails[0]?.subject).toBe("A test from Anneal");
    expect(await here.anneal("notify", "test", "slack")).toMatchObject({ code: 0 });
    const listed = (await here.anneal("notify")).stdout;
    expect(listed).toMatch(/last: sent .* “A test from Anneal”/);
    expect(listed).toMatch(/last: failed .* “A test from Anneal”: it answered 404/);
    expect(`${stdout}${stderr}${listed}`).not.toMatch(/secret-part|pass-word-1/);
    const status = await here.anneal("status");
    expect(status.stdout).toMatch(/^! webhook: the last message was not sent \(it answered 404\); see anneal notify$/m);
  });

  test.concurrent("a run whose feature waits for its person tells them, though the channel fails first", async () => {
    await using slack = await faultServer(answer(500), plays.ok);
    using here = withChannels({ slack: { webhookUrl: slack.url } }, {}, [
      writes("implementer", "1;\n"),
      ...Array(9).fill({ role: "reviewer", end: "crash" }),
    ]);
    const first = await here.anneal("run", "login");
    expect(first.stdout + first.stderr).toMatch(/slack: not sent, it answered 500; it is tried again/);
    expect(slack.received).toHaveLength(1);
    expect(JSON.parse(slack.received[0]?.body ?? "").text).toBe("Needs you: Add login");
    expect((await here.anneal("notify")).stdout).toMatch(/1 waiting/);
  });

  test.for([
    { args: ["notify", "pigeon"], says: "anneal notify test slack" },
    { args: ["notify", "test", "pigeon"], says: "there are github, slack, email" },
  ])("$args is refused", async ({ args, says }) => {
    using here = project({});
    const { code, stderr } = await here.anneal(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(says);
  });
});
