import { isOnPath } from "../checks/on-path.ts";
import type { Notifier } from "../ports.ts";
import { resultOf, startedWith } from "./command.ts";

const TIMEOUT_MS = 10_000;
/** Where the desktop of the user listens. */
const DESKTOP = ["DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"];
const APPLE_SCRIPT = [
  "on run argv",
  "display notification (item 2 of argv) with title (item 1 of argv)",
  "end run",
].flatMap((line) => ["-e", line]);

/** The program that shows notices here; null where there is none. */
export function desktopProgram(path: string = process.env.PATH ?? ""): "notify-send" | "osascript" | null {
  const known = process.platform === "darwin" ? (["osascript"] as const) : (["notify-send"] as const);
  return process.platform === "win32" ? null : (known.find((name) => isOnPath(name, path)) ?? null);
}

/** A notice on this desktop. */
export function desktopNotifier({ env = process.env }: { env?: NodeJS.ProcessEnv } = {}): Notifier {
  return {
    name: "desktop",
    async send({ title, summary, link }, signal) {
      const program = desktopProgram(env.PATH);
      if (program === null) return { result: "refused", why: "this machine has no notify-send" };
      const text = [...summary.slice(0, 2), ...(link === null ? [] : [link])].join("\n");
      const words = [title, text] as const;
      const argv: readonly [string, ...string[]] =
        program === "notify-send"
          ? [program, "--app-name=Anneal", "--", ...words.map(withoutMarkup)]
          : [program, ...APPLE_SCRIPT, "--", ...words];
      const own = DESKTOP.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]));
      const path = env.PATH === undefined ? {} : { PATH: env.PATH };
      const options = { env: { ...Object.fromEntries(own), ...path }, timeoutMs: TIMEOUT_MS, signal };
      return resultOf(await startedWith(argv, options), TIMEOUT_MS);
    },
  };
}

/** Some desktops read the text as markup. */
function withoutMarkup(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
}
