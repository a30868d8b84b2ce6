import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createFakeForge, type FakeForge, redact } from "@anneal/adapters/forges";
import type { ReviewLoopSession } from "@anneal/types";
import { expect } from "vitest";
import { allowPush } from "../../kinds/pull-request/pull-requests.ts";
import { FEATURE, FILES } from "./login-feature.ts";
import { bar, pictureOf, sections } from "./picture.ts";
import { PERSON, type Plan, type SampleProject, sampleProject } from "./sample-project.ts";

/** A sample project whose remote is a fake forge, with one feature in its backlog. */
export interface ForgeProject extends SampleProject {
  forge: FakeForge;
  /** The feature. */
  id: string;
  session(): ReviewLoopSession;
  /** The states that the session went through, as its events tell. */
  states(): Promise<string[]>;
  /** Every object that the forge's repository holds, as text. */
  published(): string;
  /** Files, events and commits of the feature, and what is on the forge. */
  picture(): Promise<string>;
}

export interface ForgeProjectOptions {
  settings?: object;
  feature?: object;
  consent?: "given" | "missing";
}

/** A fake forge as the remote of a project, with alice, who may write there. */
export async function withForge(
  { repo, root, clock }: Pick<SampleProject, "repo" | "root" | "clock">,
  consent: ForgeProjectOptions["consent"] = "given",
): Promise<{ dir: string; forge: FakeForge }> {
  const dir = join(root, ".git", "forge.git");
  const forge = await createFakeForge(dir, { clock });
  await forge.setUser("alice", "write");
  repo.git("remote", "add", "origin", dir);
  repo.git("push", "--quiet", "origin", "main");
  if (consent === "given") await allowPush(root, { url: redact(dir), by: PERSON, at: clock.now() });
  return { dir, forge };
}

export async function forgeProject(
  steps: Plan["steps"],
  { settings = {}, feature = {}, consent = "given" }: ForgeProjectOptions = {},
): Promise<ForgeProject> {
  const project = await sampleProject({ files: FILES, settings });
  const { repo, root } = project;
  const { dir, forge } = await withForge(project, consent);
  const id = await project.add({ ...FEATURE, ...feature }, { steps });
  const git = (...args: string[]) => repo.git("-C", dir, ...args);
  const session = () => JSON.parse(readFileSync(join(root, ".automaker/features", id, "review-loop.json"), "utf8"));
  return {
    ...project,
    forge,
    id,
    session,
    async states() {
      const seed = (await project.notifications()).flatMap((one) => one.seed);
      return seed.flatMap((one) => (one.type === "review-loop:state-changed" ? [one.payload.newState] : []));
    },
    published: () =>
      git("cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype)")
        .split("\n")
        .map((line) => line.split(" ", 2))
        .map(([name = "", type = ""]) => (type === "tree" ? name : git("cat-file", type, name)))
        .join("\n"),
    async picture() {
      const own = await pictureOf(project, id);
      const refs = git("for-each-ref", "--format=%(refname) %(objectname:short=12)").split("\n");
      const state = JSON.parse(readFileSync(join(dir, "anneal-fake-forge.json"), "utf8"));
      const pulls = state.pulls.map(pullText);
      return `${own}\n${sections([["Forge", [...refs, "", ...pulls]]])}`.replaceAll(root, "/ROOT");
    },
  };
}

interface StoredPull {
  number: number;
  title: string;
  body: string;
  state: string;
  draft: boolean;
  base: string;
  branch: string;
  labels: string[];
  mergeCommit: string | null;
  comments: { author: string; body: string; file?: string; line?: number }[];
  reviews: { author: string; state: string; body: string }[];
}

function pullText(pull: StoredPull): string {
  const { number, title, body, state, draft, base, branch, labels, mergeCommit } = pull;
  const said = pull.comments.map(({ author, body: text, file, line }) => {
    const place = file === undefined ? "" : ` on ${file}:${line}`;
    return `${bar("-", `${author} says${place}`)}\n${text}`;
  });
  const judged = pull.reviews.map((review) => `${bar("-", `${review.author}: ${review.state}`)}\n${review.body}`);
  return [
    bar("-", `#${number} ${title}`),
    `${state}${draft ? ", a draft" : ""}, ${branch} into ${base}, labels: ${labels.join(", ") || "none"}, merged as ${mergeCommit ?? "nothing"}`,
    "",
    body,
    ...said,
    ...judged,
  ].join("\n");
}

/** Lets a project's feature go on until it rests, and gives where it stands; nothing may have broken. */
export async function goesOn({ run, id }: ForgeProject) {
  const { settled, broken } = await run([id]);
  expect([...broken]).toEqual([]);
  return settled.get(id);
}

/** The branch of a project's feature. */
export const branch = ({ id }: ForgeProject) => `feature/${id}`;

/** Where that branch stands here. */
export const head = (project: ForgeProject) => project.repo.git("rev-parse", branch(project));
