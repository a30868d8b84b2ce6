import { spawn } from "node:child_process";

type Env = Readonly<Record<string, string | undefined>>;

/** What opens an address here, as arguments; null where nothing would be seen. */
export function browserCommand(address: string, platform: NodeJS.Platform, env: Env): string[] | null {
  if (env.BROWSER) return [env.BROWSER, address];
  if (platform === "darwin") return ["open", address];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler", address];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ["xdg-open", address] : null;
}

/** Opens an address in the user's browser. Where there is none the printed link is enough. */
export function openBrowser(address: string): void {
  const [program, ...args] = browserCommand(address, process.platform, process.env) ?? [];
  if (program === undefined) return;
  const child = spawn(program, args, { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}
