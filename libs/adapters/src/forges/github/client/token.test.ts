import { chmodSync } from "node:fs";
import { expect, test } from "vitest";
import { tempFolder } from "../../../../../system/src/testing/temp-folder.ts";
import { tokenFor } from "./token.ts";

const all = { GH_TOKEN: "gh", GITHUB_TOKEN: "github", GH_ENTERPRISE_TOKEN: "enterprise", PATH: "/nowhere" };

test.for([
  { host: "github.com", env: all, token: "gh" },
  { host: "github.com", env: { ...all, GH_TOKEN: "" }, token: "github" },
  { host: "github.com", env: { ...all, GH_TOKEN: " gh\n" }, token: "gh" },
  { host: "acme.ghe.com", env: all, token: "gh" },
  { host: "git.acme.example", env: { ...all, GH_HOST: "git.acme.example" }, token: "enterprise" },
  { host: "git.acme.example", env: { ...all, GITHUB_SERVER_URL: "https://git.acme.example" }, token: "github" },
  { host: "127.0.0.1:4001", env: { PATH: "/nowhere", GH_TOKEN: "t", GH_HOST: "127.0.0.1:4001" }, token: "t" },
])("$host gets $token", async ({ host, env, token }) => {
  expect(await tokenFor({ host }, { env })).toBe(token);
});

test.for([
  { what: "a host that settings name", host: "evil.example", env: all },
  { what: "a port on this machine", host: "127.0.0.1:4001", env: { ...all, GH_HOST: "127.0.0.1:4002" } },
  { what: "a host that GH_HOST does not name", host: "evil.example", env: { ...all, GH_HOST: "git.acme.example" } },
  { what: "a host without any", host: "github.com", env: { PATH: "/nowhere" } },
])("$what gets no token, and the error says what to do", async ({ host, env }) => {
  const message = expect.stringContaining(`no token for ${host}: run gh auth login --hostname ${host}`);
  await expect(tokenFor({ host }, { env })).rejects.toMatchObject({ kind: "unauthenticated", message });
});

test("what no header can hold is refused without being shown", async () => {
  const asked = tokenFor({ host: "github.com" }, { env: { GH_TOKEN: "hunter2\nhunter2" } });
  await expect(asked).rejects.toMatchObject({
    kind: "unauthenticated",
    message: expect.not.stringContaining("hunter2"),
  });
});

test.for([
  { what: "gives it", script: '[ "$*" = "auth token --hostname github.com" ] && echo from-gh', token: "from-gh" },
  {
    what: "is not given the variables, which it would give to any host",
    script: 'echo "no-$GH_TOKEN-$GH_ENTERPRISE_TOKEN"',
    token: "no--",
  },
])("gh $what", async ({ script, token }) => {
  using folder = tempFolder();
  folder.write("gh", `#!/bin/sh\n${script}\n`);
  chmodSync(folder.path("gh"), 0o755);
  const env = { PATH: `${folder.dir}:/usr/bin:/bin`, GH_ENTERPRISE_TOKEN: "enterprise" };
  expect(await tokenFor({ host: "github.com" }, { env })).toBe(token);
});

test.for([
  { what: "knows no account", script: "exit 1" },
  { what: "does not end", script: "exec sleep 60" },
])("where gh $what, there is no token", async ({ script }) => {
  using folder = tempFolder();
  folder.write("gh", `#!/bin/sh\n${script}\n`);
  chmodSync(folder.path("gh"), 0o755);
  const env = { PATH: `${folder.dir}:/usr/bin:/bin` };
  await expect(tokenFor({ host: "github.com" }, { env, timeoutMs: 500 })).rejects.toMatchObject({
    kind: "unauthenticated",
  });
});
