import { failpoint } from "@anneal/system/failpoint";
import { ForgeError } from "../contract/errors.ts";
import { marked } from "../contract/marker.ts";
import type { Opened, OpenRequest, PullRequest, PullRequestChange, PullRequests } from "../contract/port.ts";
import type { GithubClient } from "./client/client.ts";
import { ForgeRefusal } from "./client/failures.ts";
import { authorOf, maybeText, textOf } from "./client/fields.ts";
import { merge } from "./merge.ts";
import { hasName, isSameName } from "./people.ts";
import { pullRequest, type SeenPull, seenPull, viewOf } from "./pull-view.ts";

export function pullRequests(client: GithubClient): PullRequests {
  const get = (number: number) => pullRequest(client, number);
  return {
    get,
    open: (request) => client.alone("open", () => open(client, request)),
    async fromBranch(branch) {
      const found = await pullsFrom(client, branch);
      // What is over is whole in the list; whether one merges is only told one by one.
      const views = found.map(({ pull }) => (pull.state === "open" ? get(pull.number) : pull));
      return Promise.all(views);
    },
    update: (number, change) =>
      client.alone(`pull ${number}`, async () => {
        const { raw, pull } = await ours(client, number);
        failpoint("forge.update.before");
        await edit(client, { raw, pull }, change);
        failpoint("forge.update.after");
        return get(number);
      }),
    markReady: (number) =>
      client.alone(`pull ${number}`, async () => {
        const { raw, pull } = await ours(client, number);
        failpoint("forge.ready.before");
        if (pull.draft) await client.graphql("ready", { id: textOf(raw, "node_id") });
        failpoint("forge.ready.after");
        return get(number);
      }),
    merge: (number, request) => client.alone("merge", () => merge(client, number, request)),
  };
}

async function open(client: GithubClient, request: OpenRequest): Promise<Opened> {
  const { key, branch, base, title, draft } = request;
  const body = marked("pull-request", key, request.body);
  const fromHere = await pullsFrom(client, branch);
  // One that was closed or merged meanwhile still is the one that was asked for: a second would be a double.
  const known = fromHere.find(({ pull }) => pull.key === key);
  const standing = known ?? fromHere.find(({ pull }) => pull.state === "open" && pull.base === base);
  if (standing !== undefined) {
    const { number } = standing.pull;
    if (standing.pull.key === null) return { pull: await pullRequest(client, number), outcome: "theirs" };
    // Of an earlier loop over the same branch: from now on it answers to the new key.
    const text = known === undefined ? { title, body: request.body } : {};
    failpoint("forge.open.before");
    await edit(client, standing, { ...text, ...peopleOf(request) }, key);
    failpoint("forge.open.after");
    return { pull: await pullRequest(client, number), outcome: "found" };
  }
  failpoint("forge.open.before");
  const raw = await create(client, { title, body, head: branch, base, draft });
  failpoint("forge.open.after");
  const made = { raw, pull: await viewOf(client, raw) };
  await edit(client, made, peopleOf(request));
  return { pull: await pullRequest(client, made.pull.number), outcome: "created" };
}

interface PullRequestBody {
  title: string;
  body: string;
  head: string;
  base: string;
  draft: boolean;
}

async function create(client: GithubClient, { head, base, ...rest }: PullRequestBody) {
  try {
    return await client.write("POST", client.path("pulls"), { ...rest, head, base });
  } catch (error) {
    if (!(error instanceof ForgeRefusal) || error.status !== 422) throw error;
    const [, missing] = /PullRequest (head|base) invalid/.exec(error.said) ?? [];
    if (missing !== undefined) {
      const branch = missing === "head" ? head : base;
      throw new ForgeError("invalid", `the branch ${branch} is not on the forge: push it first`, { cause: error });
    }
    // Its lists can be behind what it knows.
    if (/already exists/.test(error.said)) {
      throw new ForgeError("unavailable", `${error.said}, and is not listed yet: try again`, { cause: error });
    }
    throw error;
  }
}

async function ours(client: GithubClient, number: number): Promise<SeenPull> {
  const found = await seenPull(client, number);
  if (found.pull.key !== null) return found;
  throw new ForgeError("not-ours", `pull request ${number} belongs to ${found.pull.author}: it is left as it is`);
}

/** Newest first. A branch of the same name in a fork is another branch. */
async function pullsFrom(client: GithubClient, branch: string): Promise<SeenPull[]> {
  const { owner } = client.address;
  const query = { head: `${owner}:${branch}`, state: "all", sort: "created", direction: "desc" };
  const raws = await client.list(client.path("pulls"), query);
  const all = await Promise.all(raws.map(async (raw) => ({ raw, pull: await viewOf(client, raw) })));
  return all.filter(({ pull }) => pull.head.branch === branch);
}

/** Adds and changes what differs, and asks for nothing where nothing does. */
async function edit(client: GithubClient, { raw, pull }: SeenPull, change: PullRequestChange, newKey?: string) {
  const { number, key: oldKey } = pull;
  const { title, body, base, labels = [], reviewers = [] } = change;
  const key = newKey ?? oldKey;
  const text = body === undefined || key === null ? undefined : marked("pull-request", key, body);
  const changed = {
    ...(title === undefined || title === pull.title ? {} : { title }),
    ...(base === undefined || base === pull.base ? {} : { base }),
    ...(text === undefined || text === maybeText(raw, "body") ? {} : { body: text }),
  };
  if (Object.keys(changed).length > 0) await client.write("PATCH", client.path("pulls", number), changed);
  const newLabels = labels.filter((label) => !hasName(pull.labels, label));
  if (newLabels.length > 0) await client.write("POST", client.path("issues", number, "labels"), { labels: newLabels });
  await ask(client, pull, reviewers);
}

/** Asks for reviews. Who has reviewed is not asked again: GitHub takes them off the list by themselves. */
async function ask(client: GithubClient, { number, author, reviewers }: PullRequest, wanted: readonly string[]) {
  const missing = wanted.filter((name) => !hasName(reviewers, name) && !isSameName(name, author));
  if (missing.length === 0) return;
  const reviews = await client.list(client.path("pulls", number, "reviews"));
  const reviewed = reviews.map((review) => authorOf(review).author);
  const asked = missing.filter((name) => !hasName(reviewed, name));
  const teams = asked.filter((name) => name.includes("/")).map((name) => name.slice(name.indexOf("/") + 1));
  const people = asked.filter((name) => !name.includes("/"));
  if (asked.length === 0) return;
  await client.write("POST", client.path("pulls", number, "requested_reviewers"), {
    ...(people.length === 0 ? {} : { reviewers: people }),
    ...(teams.length === 0 ? {} : { team_reviewers: teams }),
  });
}

function peopleOf({ labels = [], reviewers = [] }: OpenRequest): PullRequestChange {
  return { labels, reviewers };
}
