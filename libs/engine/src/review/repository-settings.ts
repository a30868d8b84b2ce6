import { globalSettings, type LoadedSettings, withProject } from "@anneal/adapters/files";
import { POLICIES } from "@anneal/core";
import type { ProjectSettings } from "@anneal/types";

const PROMPTS = ["reviewSystemPrompt", "reviewPromptTemplate"] as const;

/** Settings of the repository, without what a repository may not say about its own judge; `leftOut` says what that was. */
export function withoutOwnJudge(loaded: LoadedSettings): { loaded: LoadedSettings; leftOut: string | null } {
  const { promptCustomization, secondLook, waivedPaths, policies, ...rest } = loaded.project;
  const prompts = PROMPTS.filter((key) => promptCustomization?.codeReview?.[key]?.enabled);
  const waivesAll = (waivedPaths ?? []).filter((pattern) => !namesSomething(pattern));
  const waived = waivedPaths?.filter(namesSomething) ?? [];
  const isLax = secondLook?.when !== undefined && secondLook.when !== "always";
  const { when: _, ...look } = secondLook ?? {};
  const project: ProjectSettings = {
    ...rest,
    ...(secondLook === undefined ? {} : { secondLook: isLax ? look : secondLook }),
    ...(waived.length === 0 && waivesAll.length > 0 ? {} : { waivedPaths: waivedPaths && waived }),
    policies: policies?.filter(({ name }) => !Object.hasOwn(POLICIES, name)),
  };
  const named = [
    ...prompts.map((key) => `promptCustomization.codeReview.${key}`),
    ...(isLax ? [`secondLook.when ${JSON.stringify(secondLook.when)}`] : []),
    ...waivesAll.map((pattern) => `waivedPaths ${JSON.stringify(pattern)}`),
  ];
  return {
    loaded: withProject(loaded, project, replacedPolicies(loaded)),
    leftOut: named.length === 0 ? null : named.join(", "),
  };
}

/** A pattern of nothing but wildcards and signs waives whatever there is. */
function namesSomething(pattern: string): boolean {
  return /[\p{L}\p{N}]/u.test(pattern);
}

/** Another policy under a name that everybody knows would be taken for it. */
function replacedPolicies({ project, placeOf }: LoadedSettings): string[] {
  const { path, line } = placeOf("policies");
  return (project.policies ?? []).flatMap(({ name }, index) => {
    if (!Object.hasOwn(POLICIES, name)) return [];
    const says = `"${name}" is a built-in policy, and settings that git tracks cannot replace it: give it another name, or put it into ${globalSettings().path}`;
    return [`${path}:${line}:1: policies[${index}].name: ${says}`];
  });
}
