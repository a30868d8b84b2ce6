import { describe, expect, test } from "vitest";
import { isHarmless, isHarmlessInSubmodule } from "./git-config.ts";

const KNOWN = `[core]
\tbare = false
[remote "origin"]
\turl = https://example.com/x.git
[submodule "lib"]
\turl = https://example.com/lib.git
`;

describe("a setting that starts nothing and leads nowhere else is a person's to change, such as", () => {
  test.for([
    ["user.name", "Kim"],
    ["branch.main.remote", "origin"],
    ["branch.main.merge", "refs/heads/main"],
    ["branch.main.description", "a::b"],
    ["branch.a.b.vscode-merge-base", "origin/main"],
    ["remote.new.url", "git@example.com:x.git"],
    ["remote.new.pushurl", "git@example.com:x.git"],
    ["remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"],
    ["remote.origin.gh-resolved", "base"],
    ["submodule.new.url", "https://example.com/new.git"],
    ["submodule.lib.active", "true"],
    ["pull.rebase", "true"],
    ["push.autoSetupRemote", "true"],
    ["fetch.prune", "true"],
    ["color.ui", "always"],
    ["merge.conflictStyle", "diff3"],
    ["diff.algorithm", "patience"],
    ["core.autocrlf", "input"],
    ["gc.auto", "0"],
    ["maintenance.commit-graph.enabled", "true"],
    ["lfs.https://example.com/x.git/info/lfs.locksverify", "false"],
  ] as const)("%s = %s", ([key, value]) => {
    expect(isHarmless(text(KNOWN), text(KNOWN + line(key, value)))).toBe(true);
    expect(isHarmless(text(KNOWN + line(key, value)), text(KNOWN))).toBe(true);
  });
});

test("a change beside settings that a person includes is harmless, as they are not looked into", () => {
  const including = KNOWN + line("include.path", "../mine");
  expect(isHarmless(text(including), text(including + line("user.name", "Kim")))).toBe(true);
});

describe("a setting that can start programs or lead git elsewhere is not, such as", () => {
  test.for([
    ["core.hooksPath", "x"],
    ["core.fsmonitor", "x"],
    ["core.sshCommand", "x"],
    ["core.editor", "x"],
    ["core.pager", "x"],
    ["core.askPass", "x"],
    ["core.gitProxy", "x"],
    ["core.worktree", "x"],
    ["core.attributesFile", "x"],
    ["core.excludesFile", "x"],
    ["core.alternateRefsCommand", "x"],
    ["filter.x.clean", "x"],
    ["filter.a.b.process", "x"],
    ["diff.external", "x"],
    ["diff.x.command", "x"],
    ["diff.x.textconv", "x"],
    ["difftool.x.cmd", "x"],
    ["merge.x.driver", "x"],
    ["mergetool.x.cmd", "x"],
    ["alias.status", "x"],
    ["include.path", "x"],
    ["includeIf.gitdir:/.path", "x"],
    ["credential.helper", "x"],
    ["credential.https://example.com.helper", "x"],
    ["gpg.program", "x"],
    ["gpg.ssh.defaultKeyCommand", "x"],
    ["url.evil.insteadOf", "x"],
    ["url.evil.pushInsteadOf", "x"],
    ["remote.origin.url", "x"],
    ["remote.origin.pushurl", "x"],
    ["remote.origin.uploadpack", "x"],
    ["remote.origin.receivepack", "x"],
    ["remote.origin.proxy", "x"],
    ["remote.origin.vcs", "x"],
    ["remote.pushDefault", "x"],
    ["branch.main.mergeOptions", "x"],
    ["sequence.editor", "x"],
    ["interactive.diffFilter", "x"],
    ["pager.log", "x"],
    ["uploadpack.packObjectsHook", "x"],
    ["extensions.worktreeConfig", "x"],
    ["protocol.ext.allow", "x"],
    ["http.proxy", "x"],
    ["http.sslVerify", "x"],
    ["init.templateDir", "x"],
    ["submodule.lib.update", "x"],
    ["submodule.lib.url", "x"],
    ["hook.x.command", "x"],
    ["trailer.x.command", "x"],
    ["gc.recentObjectsHook", "x"],
    ["lfs.customtransfer.x.path", "x"],
    ["some.thing", "x"],
    ["remote.new.url", "ext::sh -c x"],
    ["remote.new.url", "x::y"],
    ["submodule.new.url", "x::y"],
    ["branch.main.remote", "x::y"],
    ["branch.main.pushRemote", "x::y"],
  ] as const)("%s = %s", ([key, value]) => {
    expect(isHarmless(text(KNOWN), text(KNOWN + line(key, value)))).toBe(false);
  });
});

test.for([
  { what: "takes one away that starts a program", before: line("core.hooksPath", "mine"), after: "" },
  { what: "takes one away that leads elsewhere", before: line("remote.origin.pushurl", "none"), after: "" },
  { what: "gives one another value", before: line("core.editor", "vi"), after: line("core.editor", "x") },
  { what: "gives one a second value", before: line("core.editor", "vi"), after: line("core.editor", "vi").repeat(2) },
  { what: "writes it in capitals", before: "", after: "[CORE]\n\tHooksPath = x\n" },
  { what: "writes it on the line of the section", before: "", after: "[core] hooksPath = x\n" },
  { what: "goes on in the next line", before: "", after: "[core]\n\thooksPath = \\\nx\n" },
  { what: "hides it behind a branch", before: "", after: '[branch "a"]\n\tremote = x\n[core] hooksPath = x\n' },
  { what: "writes what git cannot read", before: "", after: "[core\n" },
])("a change is not harmless that $what", ({ before, after }) => {
  expect(isHarmless(text(KNOWN + before), text(KNOWN + after))).toBe(false);
});

describe("of a new submodule", () => {
  const made = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = false
\tlogallrefupdates = true
\tworktree = ../../../lib
[remote "origin"]
\turl = https://example.com/lib.git
\tfetch = +refs/heads/*:refs/remotes/origin/*
[branch "main"]
\tremote = origin
\tmerge = refs/heads/main
`;
  test.for([
    { what: "what git makes", more: "", harmless: true },
    { what: "another format of objects", more: line("extensions.objectFormat", "sha256"), harmless: true },
    { what: "a program", more: line("core.fsmonitor", "x"), harmless: false },
    { what: "an extension", more: line("extensions.worktreeConfig", "true"), harmless: false },
    { what: "no work tree", more: line("core.bare", "true"), harmless: false },
    { what: "a work tree elsewhere", more: line("core.worktree", "/"), harmless: false },
    { what: "what git cannot read", more: "[core\n", harmless: false },
  ])("$what: harmless is $harmless", ({ more, harmless }) => {
    expect(isHarmlessInSubmodule(text(made + more), (workTree) => workTree === "../../../lib")).toBe(harmless);
  });
});

const text = (content: string) => Buffer.from(content);

/** A section of its own for one setting; what lies between the first and the last dot is a name. */
function line(key: string, value: string): string {
  const [, section = "", name, variable = ""] = /^([^.]+)(?:\.(.+))?\.([^.]+)$/.exec(key) ?? [];
  return `[${section}${name === undefined ? "" : ` "${name}"`}]\n\t${variable} = ${value}\n`;
}
