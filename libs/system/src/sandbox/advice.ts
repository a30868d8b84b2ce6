import type { SandboxProbe } from "./probe.ts";

type NotWorking = Exclude<SandboxProbe, { state: "works" }>;

/** In one line what is not protected where commands cannot be shut in. */
export function unboxedLine({ reason }: NotWorking): string {
  return `no sandbox here (${reason}): agents, tests and hooks can read and write everything that you can, including the environment of this process; anneal doctor says how to get a sandbox`;
}

/** How the package that holds bubblewrap is got, by what a distribution calls itself or is like. */
const INSTALL: readonly [RegExp, string][] = [
  [/\b(?:debian|ubuntu)\b/, "sudo apt install bubblewrap"],
  [/\b(?:fedora|rhel|centos)\b/, "sudo dnf install bubblewrap"],
  [/\barch\b/, "sudo pacman -S bubblewrap"],
  [/\bsuse\b|\bopensuse/, "sudo zypper install bubblewrap"],
  [/\balpine\b/, "sudo apk add bubblewrap"],
];

const ANY = "install bubblewrap: apt install bubblewrap, dnf install bubblewrap, or brew install bubblewrap on Linux";

/** How to get a sandbox on a machine of this kind; `release` is its /etc/os-release, where it has one. */
export function sandboxAdvice({ state }: NotWorking, machine: { platform: NodeJS.Platform; release: string }): string {
  if (machine.platform !== "linux")
    return `there is no sandbox for ${machine.platform} yet: agents and programs of a repository run with all your rights; run Anneal in a Linux container or virtual machine, or set "sandbox": "required" in your settings, so that no agent runs without one`;
  if (state === "broken")
    return "bubblewrap needs user namespaces: sysctl kernel.unprivileged_userns_clone and user.max_user_namespaces; on Ubuntu 24.04 also kernel.apparmor_restrict_unprivileged_userns=0, or an AppArmor profile for bwrap; in a container, rights to make namespaces";
  const ids = machine.release.match(/^ID(?:_LIKE)?=.*$/gm)?.join(" ") ?? "";
  return INSTALL.find(([name]) => name.test(ids))?.[1] ?? ANY;
}
