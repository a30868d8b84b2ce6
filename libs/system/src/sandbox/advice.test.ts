import { expect, test } from "vitest";
import { sandboxAdvice, unboxedLine } from "./advice.ts";

const missing = { state: "missing", reason: "bubblewrap (bwrap) is not installed" } as const;
const broken = { state: "broken", reason: "bubblewrap does not work here: no namespaces" } as const;

test.for([
  {
    of: missing,
    platform: "linux",
    release: 'NAME="Ubuntu"\nID=ubuntu\nID_LIKE=debian\n',
    says: "sudo apt install bubblewrap",
  },
  { of: missing, platform: "linux", release: 'ID=linuxmint\nID_LIKE="ubuntu debian"\n', says: "sudo apt install" },
  { of: missing, platform: "linux", release: "ID=fedora\n", says: "sudo dnf install bubblewrap" },
  { of: missing, platform: "linux", release: 'ID="rocky"\nID_LIKE="rhel centos fedora"\n', says: "sudo dnf install" },
  { of: missing, platform: "linux", release: "ID=arch\n", says: "sudo pacman -S bubblewrap" },
  { of: missing, platform: "linux", release: 'ID="opensuse-leap"\nID_LIKE="suse opensuse"\n', says: "sudo zypper" },
  { of: missing, platform: "linux", release: "ID=alpine\n", says: "sudo apk add bubblewrap" },
  { of: missing, platform: "linux", release: "", says: /apt install.*dnf install.*brew install/ },
  {
    of: broken,
    platform: "linux",
    release: "ID=ubuntu\n",
    says: /user namespaces.*apparmor_restrict_unprivileged_userns/,
  },
  { of: missing, platform: "darwin", release: "", says: /no sandbox for darwin yet.*container.*"required"/ },
  { of: missing, platform: "win32", release: "", says: "no sandbox for win32 yet" },
] as const)("$of.state on $platform $release: $says", ({ of, platform, release, says }) => {
  expect(sandboxAdvice(of, { platform, release })).toMatch(says);
});

test("what is not protected is one line", () => {
  expect(unboxedLine(missing)).toMatch(
    /^no sandbox here \(bubblewrap \(bwrap\) is not installed\): .*anneal doctor[^\n]*$/,
  );
});
