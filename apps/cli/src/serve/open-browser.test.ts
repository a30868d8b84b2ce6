import { describe, expect, test } from "vitest";
import { browserCommand } from "./open-browser.ts";

const address = "http://127.0.0.1:7733/login?code=a&b=$(c)";

describe("what opens the browser", () => {
  test.for([
    { on: "darwin", env: {}, command: ["open", address] },
    { on: "win32", env: {}, command: ["rundll32", "url.dll,FileProtocolHandler", address] },
    { on: "linux", env: { DISPLAY: ":0" }, command: ["xdg-open", address] },
    { on: "linux", env: { WAYLAND_DISPLAY: "w" }, command: ["xdg-open", address] },
    { on: "linux", env: { BROWSER: "/opt/a browser" }, command: ["/opt/a browser", address] },
    { on: "linux", env: {}, command: null },
    { on: "linux", env: { DISPLAY: "", BROWSER: "" }, command: null },
  ] as const)("on $on with $env: $command", ({ on, env, command }) => {
    expect(browserCommand(address, on, env)).toEqual(command);
  });
});
