import { expect, test } from "vitest";
import { scrubbedEnvironment } from "./environment.ts";

test.for([
  { name: "HOME", value: "/home/robin" },
  { name: "https_proxy", value: "http://proxy.example:3128" },
  { name: "NODE_EXTRA_CA_CERTS", value: "/etc/ca.pem" },
  { name: "npm_config_registry", value: "https://packages.example/npm" },
  { name: "VIRTUAL_ENV", value: "/home/robin/venv" },
])("$name is passed on", ({ name, value }) => {
  expect(scrubbedEnvironment({ [name]: value })).toEqual({ [name]: value });
});

test.for([
  { name: "AWS_SECRET_ACCESS_KEY", value: "x" },
  { name: "GITHUB_TOKEN", value: "x" },
  { name: "NODE_OPTIONS", value: "--require ./x.js" },
  { name: "GIT_DIR", value: "/elsewhere" },
  { name: "npm_config__auth", value: "x" },
  { name: "https_proxy", value: "http://robin:secret@proxy.example:3128" },
  { name: "PIP_INDEX_URL", value: "https://token@packages.example/simple" },
])("$name=$value is withheld", ({ name, value }) => {
  expect(scrubbedEnvironment({ [name]: value })).toEqual({});
});

test("folders of the PATH that hang on where a program is started are left out", () => {
  expect(scrubbedEnvironment({ PATH: "/usr/bin:.:bin:/bin" })).toEqual({ PATH: "/usr/bin:/bin" });
});
