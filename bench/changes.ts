import { EXTENSION, fileText, type Kind, Sections } from "./files.ts";

/** Files by path, before and after. */
export interface Fixture {
  before: Record<string, string>;
  after: Record<string, string>;
}

/** Ten files of a small project, as one day's work changes them. */
export function tenFiles(): Fixture {
  const sections = new Sections();
  const fixture: Fixture = { before: {}, after: {} };
  const kinds: Kind[] = ["code", "code", "code", "code", "test", "test", "json", "yaml", "prose", "prose"];
  for (const [index, kind] of kinds.entries()) {
    const path = `${FOLDER[kind]}/${kind}-${index}${EXTENSION[kind]}`;
    const old = sections.make(kind, 8);
    fixture.before[path] = fileText(kind, old);
    const fresh = sections.make(kind, 2, index % 4 === 0 ? "flawed" : "clean");
    fixture.after[path] = fileText(kind, [...old.slice(0, 3), ...fresh, ...old.slice(4)]);
  }
  for (let index = 0; index < 60; index++) {
    const path = `src/unchanged/code-${index}.ts`;
    fixture.before[path] = fileText("code", sections.make("code", 8));
    fixture.after[path] = fixture.before[path];
  }
  return fixture;
}

/** The same work, with an address that only the secret scanner can tell from one that gives a password away. */
export function tenFilesWithAddress(): Fixture {
  const { before, after } = tenFiles();
  const path = Object.keys(after).find((name) => name.endsWith(EXTENSION.yaml)) ?? "";
  return { before, after: { ...after, [path]: `${after[path]}database: postgres://app:app@localhost:5432/main\n` } };
}

/** A thousand files with a hundred changed lines each: edited, added, deleted and renamed. */
export function thousandFiles(): Fixture {
  const sections = new Sections();
  const fixture: Fixture = { before: {}, after: {} };
  for (let index = 0; index < 1_000; index++) {
    const kind = kindOf(index);
    const path = `${FOLDER[kind]}/part-${index % 25}/${kind}-${index}${EXTENSION[kind]}`;
    const flawed = index % 2 === 0 ? "flawed" : "clean";
    const event = index % 20;
    if (event === 0) fixture.after[path] = fileText(kind, sections.make(kind, 10, flawed));
    else if (event === 1) fixture.before[path] = fileText(kind, sections.make(kind, 10));
    else {
      const old = sections.make(kind, 20);
      const fresh = sections.make(kind, 5, flawed);
      const now = old.map((section, at) => (at % 4 === 1 ? (fresh[(at - 1) / 4] ?? section) : section));
      fixture.before[path] = fileText(kind, old);
      fixture.after[event === 2 ? path.replace("part-", "moved-") : path] = fileText(kind, now);
    }
  }
  return fixture;
}

function kindOf(index: number): Kind {
  const share = (index * 37) % 100;
  if (share < 60) return "code";
  if (share < 75) return "test";
  if (share < 80) return "python";
  if (share < 88) return "json";
  return share < 92 ? "yaml" : "prose";
}

const FOLDER: Record<Kind, string> = {
  code: "src",
  test: "src",
  python: "tools",
  json: "config",
  yaml: "deploy",
  prose: "docs",
};
