import type { Agent, QuestionAgent, Reviewer } from "@anneal/adapters";
import type { ChangeBounds, Policy } from "@anneal/types";
import { UsageError } from "../errors/errors.ts";
import type { ReviewCopies } from "../review/review-copies.ts";
import type { ReviewBrief } from "../review/reviewers/index.ts";
import { withSkippedFiles } from "../review/reviewers/skipped-files.ts";
import { AGENTS, usable } from "./catalog.ts";
import type { AgentTerms } from "./fitted.ts";
import { agentNamed, agentsFor, parseName, refuseBadModel } from "./named.ts";

/** What a reviewer is made of, besides what it learns about one round. */
export interface ReviewerParts {
  policy: Policy;
  place: ReviewCopies;
  terms: AgentTerms;
  /** The work item's model. */
  model: string | undefined;
  /** What every agent of this process goes through. */
  through(agent: Agent): Promise<Agent>;
  /** Patterns of paths that may go unread; those of the terms unless told. */
  waived?: (() => Promise<readonly string[]>) | undefined;
}

/** A reviewer for one round: its prompt depends on the rounds before. */
export type RoundReviewer = (brief: ReviewBrief) => Reviewer;

interface ReviewerEntry {
  about: string;
  /** Refuses what cannot stand after its colon. */
  check(argument: string | undefined): void;
  make(argument: string | undefined, parts: ReviewerParts): Promise<RoundReviewer>;
  /** The agent of the same program, which can be asked about the words of a review. */
  agent?: string;
}

/** Reviewers that are no agents. None of them gives scores. */
const OTHERS: Readonly<Record<string, ReviewerEntry>> = {
  builtin: {
    about: "hygiene, security and test integrity on the changed lines; needs no key (default)",
    check: (argument) => {
      if (argument !== undefined) throw new UsageError("builtin takes no argument: use --reviewer builtin");
    },
    make: async () => {
      const { builtinReviewer } = await import("@anneal/adapters/builtin/reviewer");
      return () => builtinReviewer;
    },
  },
  "codex-review": {
    about: "`codex review --base`: its own prompt and output; inconclusive when in doubt",
    check: (model) => refuseBadModel(model, "the reviewer codex-review"),
    agent: "codex",
    make: async (model, { policy, place, terms, through }) => {
      const [{ codexReviewer }, { tamperGuard }] = await Promise.all([
        import("@anneal/adapters/codex-review"),
        import("@anneal/adapters/reviewers/tamper-guard"),
      ]);
      const { setupOf } = await import("./catalog.ts");
      const setup = setupOf(terms.setups?.codex ?? {}, model);
      const limits = { timeoutMs: policy.reviewer.timeoutMs };
      const mostBytes = await promptBytesFor([setup.model, "codex"], terms);
      const reviewer = codexReviewer({ room: tamperGuard(place), limits, setup, mostBytes, through });
      return () => reviewer;
    },
  },
  sarif: {
    about: "findings of another tool, from a SARIF 2.1.0 file: sarif:FILE",
    check: (file) => {
      if (file === undefined) throw new UsageError("sarif needs a file: sarif:FILE");
    },
    make: async (file = "") => {
      const { checkSarif, sarifReviewer } = await import("@anneal/adapters/reviewers/sarif");
      await usable(checkSarif(file));
      const reviewer = sarifReviewer(file);
      return () => reviewer;
    },
  },
  webhook: {
    about: "a reviewer at a URL: webhook:URL (https, or http on this machine)",
    check: (url) => {
      if (url === undefined) throw new UsageError("webhook needs an address: webhook:URL");
    },
    make: async (url = "", { policy, place, through }) => {
      const { webhookReviewer } = await import("@anneal/adapters/reviewers/webhook");
      const { timeoutMs } = policy.reviewer;
      const patch = (bounds: ChangeBounds) =>
        place.patch?.(bounds) ?? place.lend(bounds.head, (repo, shown) => repo.patch(shown ?? bounds), bounds.base);
      const made = ({ workItem }: Pick<ReviewBrief, "workItem">) =>
        webhookReviewer({ url, patch, workItem, timeoutMs, through });
      // An invalid address is reported before anything starts.
      await usable((async () => made({ workItem: { title: "", description: "" } }))());
      return made;
    },
  },
};

/** All that `--reviewer` knows, with one line about each. */
export const REVIEWERS: Readonly<Record<string, { about: string }>> = {
  builtin: { about: OTHERS.builtin?.about ?? "" },
  ...AGENTS,
  ...OTHERS,
};

/** Makes the reviewer that a person named: one, or several at once with a plus between them. */
export async function roundReviewer(named: string, parts: ReviewerParts): Promise<RoundReviewer> {
  const { terms, waived = async () => terms.waivedPaths ?? [] } = parts;
  const made = await withSetAside(await reviewersNamed(named, parts), membersOf(named, terms), parts);
  return (brief) => withSkippedFiles(made(brief), waived);
}

async function reviewersNamed(named: string, parts: ReviewerParts): Promise<RoundReviewer> {
  const { policy, place, terms, model, through } = parts;
  const names = membersOf(named, terms);
  const members = await Promise.all(names.map((name) => withSecondLook(name, parts)));
  const { verification } = policy.reviewer;
  const [only] = members;
  if (only !== undefined && members.length === 1 && verification === undefined) return only;
  const [{ ensembleReviewer, verifiedReviewer }, { tamperGuard }] = await Promise.all([
    import("../review/reviewers/index.ts"),
    import("@anneal/adapters/reviewers/tamper-guard"),
  ]);
  const verifier =
    verification === undefined ? null : await through(await agentNamed(verification.by, "analyst", terms, model));
  return (brief) => {
    const reviewers = members.map((member) => member(brief));
    const [one] = reviewers;
    const all =
      one !== undefined && reviewers.length === 1 ? one : ensembleReviewer(reviewers, policy.reviewer.ensemble ?? {});
    if (verifier === null) return all;
    const { workItem, turn } = brief;
    return verifiedReviewer(all, {
      agent: verifier,
      policy,
      room: tamperGuard(place),
      workItem,
      ...(turn === undefined ? {} : { turn }),
    });
  };
}

/** Refuses reviewers that are unknown or cannot work under a policy, before anything starts. */
export async function checkReviewer(named: string, parts: Omit<ReviewerParts, "place" | "through">): Promise<void> {
  const { policy, terms, model } = parts;
  for (const member of membersOf(named, terms)) {
    if (otherNamed(member, policy) === null) await agentNamed(member, "reviewer", terms, model);
    const by = secondReader(member, parts);
    if (typeof by === "string") await agentNamed(by, "analyst", terms, model);
  }
  const { verification } = policy.reviewer;
  if (verification !== undefined) await agentNamed(verification.by, "analyst", terms, model);
}

/** Where files and commands may hold a plus, only one in front of a known name divides. */
export function membersOf(named: string, { setups = {} }: AgentTerms): string[] {
  const known = [...Object.keys(REVIEWERS), ...Object.keys(setups), "auto"].map((name) => name.replaceAll("-", "\\-"));
  return named.split(new RegExp(`\\+(?=(?:${known.join("|")})(?:[:+]|$))`));
}

/** Those of the named reviewers that are agents: only they can be asked for anything else than a review. */
export function agentsAmong(named: string, terms: AgentTerms): string[] {
  return membersOf(named, terms).filter(isAgent);
}

function isAgent(member: string): boolean {
  return !Object.hasOwn(OTHERS, parseName(member).name);
}

/** Nobody may read the words beside a passing form: an agent does. */
async function withSecondLook(named: string, parts: ReviewerParts): Promise<RoundReviewer> {
  const { policy } = parts;
  const member = await memberNamed(named, parts);
  const reader = await readerFor(named, parts);
  // What is no agent signs nothing off.
  if (reader === null && otherNamed(named, policy)?.agent === undefined && !isAgent(named)) return member;
  const { secondLookReviewer, unsignedReviewer } = await import("../review/reviewers/index.ts");
  return (brief) => {
    const marked = unsignedReviewer(member(brief), policy);
    return reader === null ? marked : secondLookReviewer(marked, policy, reader(brief));
  };
}

/** Nor may the words of an answer whose blocking findings were set aside. */
async function withSetAside(
  made: RoundReviewer,
  names: readonly string[],
  parts: ReviewerParts,
): Promise<RoundReviewer> {
  const named = names.find((name) => secondReader(name, parts) !== null);
  const reader = named === undefined ? null : await readerFor(named, parts);
  if (reader === null) return made;
  const { setAsideReviewer } = await import("../review/reviewers/index.ts");
  return (brief) => setAsideReviewer(made(brief), parts.policy, brief, reader(brief));
}

type Reader = (brief: ReviewBrief) => QuestionAgent | undefined;

/** Who looks a second time: null for nobody, undefined for the reviewer's own agent. */
async function readerFor(named: string, parts: ReviewerParts): Promise<Reader | null> {
  const { policy, place, terms, model, through } = parts;
  const by = secondReader(named, parts);
  if (by === null) return null;
  if (by === undefined) return () => undefined;
  const { tamperGuard } = await import("@anneal/adapters/reviewers/tamper-guard");
  const agent = await through(await agentNamed(by, "analyst", terms, model));
  const { timeoutMs } = policy.reviewer;
  return ({ turn }) => {
    const alike = { role: "analyst" as const, limits: { timeoutMs }, ...(turn === undefined ? {} : { turn }) };
    const ask: QuestionAgent["ask"] = (question, signal) =>
      tamperGuard(place).inEmptyFolder((cwd) => agent.run({ ...alike, ...question, cwd }, signal));
    return { name: agent.name, ask };
  };
}

/** The name of the agent that does; undefined for the reviewer's own, null where nobody looks a second time. */
function secondReader(named: string, { policy, terms }: Pick<ReviewerParts, "policy" | "terms">) {
  const { when = "always", by } = terms.secondLook ?? {};
  if (when === "never" || (when === "merging" && policy.workItem === "feature")) return null;
  const other = otherNamed(named, policy);
  if (by !== undefined || other === null) return by;
  if (other.agent === undefined) return null;
  const { argument } = parseName(named);
  return argument === undefined ? other.agent : `${other.agent}:${argument}`;
}

async function memberNamed(named: string, parts: ReviewerParts): Promise<RoundReviewer> {
  const { policy, place, terms, model, through } = parts;
  const other = otherNamed(named, policy);
  if (other !== null) return await other.make(parseName(named).argument, parts);
  const agent = await through(await agentNamed(named, "reviewer", terms, model));
  const [{ agentReviewer }, { tamperGuard }] = await Promise.all([
    import("../review/reviewers/index.ts"),
    import("@anneal/adapters/reviewers/tamper-guard"),
  ]);
  const bytes = await promptBytesFor([parseName(named).argument, policy.reviewer.model, model, agent.name], terms);
  const roots = place.source === undefined ? [] : [place.source.root];
  return (brief) => agentReviewer(agent, policy, tamperGuard(place), { ...brief, model, promptBytes: bytes, roots });
}

/** How much fits into one prompt, by the first name of which something is known. */
async function promptBytesFor(names: (string | undefined)[], { contexts = {} }: AgentTerms): Promise<number> {
  const { promptBytes } = await import("@anneal/core/review");
  return promptBytes(names, contexts);
}

/** A reviewer that is no agent, if it can work so and under this policy. */
function otherNamed(named: string, policy: Policy): ReviewerEntry | null {
  const { name, argument } = parseName(named);
  const other = Object.hasOwn(OTHERS, name) ? OTHERS[name] : undefined;
  if (other === undefined) return null;
  other.check(argument);
  refuseWithoutScores(name, policy);
  return other;
}

function refuseWithoutScores(reviewer: string, { name, pass }: Policy): void {
  if (pass.scorecard === undefined) return;
  const agents = agentsFor("reviewer", {}).filter(isAgent);
  throw new UsageError(
    `the ${reviewer} reviewer gives no scores, which the policy ${name} needs; choose another --policy, or a --reviewer of: ${agents.join(", ")}`,
  );
}
