import type { LoadedSettings } from "@anneal/adapters/files";
import { CODE_REVIEW_VARIABLES, DEFAULT_PROMPTS, lintTemplate, placeholders } from "@anneal/prompts";
import type { ApiPrompt, ApiPromptKey, ApiPromptLint, CustomPrompt } from "@anneal/types";

type Variable = (typeof CODE_REVIEW_VARIABLES)[number];

/** The prompts that people may rewrite, in the order in which they are shown. */
const PROMPTS: Record<ApiPromptKey, { title: string; variables: readonly Variable[] }> = {
  reviewSystemPrompt: { title: "System prompt", variables: [] },
  reviewPromptTemplate: { title: "Review request", variables: CODE_REVIEW_VARIABLES },
};

const ABOUT: Record<Variable, string> = {
  featureTitle: "the feature's title",
  featureDescription: "the whole description of the feature",
  gitDiff: "the unified diff of the changes",
  featureSpec: "the feature's specification, where it has one",
};

export const PROMPT_KEYS: readonly ApiPromptKey[] = ["reviewSystemPrompt", "reviewPromptTemplate"];

/** Every prompt that can be customised, with what both settings files make of it. */
export function promptBook({ project, global }: Pick<LoadedSettings, "project" | "global">): ApiPrompt[] {
  return PROMPT_KEYS.map((key) => {
    const custom = project.promptCustomization?.codeReview?.[key] ?? null;
    const everywhere = global.promptCustomization?.codeReview?.[key] ?? null;
    const { from, inUse } = chosen(key, custom, everywhere);
    return {
      key,
      title: PROMPTS[key].title,
      default: defaultText(key),
      custom,
      global: everywhere,
      enabled: from !== "default",
      inUse,
      from,
      characters: inUse.length,
      variables: PROMPTS[key].variables.map((name) => ({ name, about: ABOUT[name] })),
      lint: lintPrompt(key, inUse),
    };
  });
}

/** The project's word goes over the global one also where it is switched off: then the default holds. */
function chosen(
  key: ApiPromptKey,
  custom: CustomPrompt | null,
  everywhere: CustomPrompt | null,
): Pick<ApiPrompt, "from" | "inUse"> {
  const [from, word] = custom === null ? (["global", everywhere] as const) : (["project", custom] as const);
  return word?.enabled ? { from, inUse: word.value } : { from: "default", inUse: defaultText(key) };
}

function defaultText(key: ApiPromptKey): string {
  return DEFAULT_PROMPTS.codeReview[key].value;
}

/** What a text should be corrected in. Where no variables are filled in, only their names mean a mistake. */
export function lintPrompt(key: ApiPromptKey, text: string): ApiPromptLint {
  const { variables } = PROMPTS[key];
  const names: readonly string[] = CODE_REVIEW_VARIABLES;
  const unknown =
    variables.length > 0
      ? lintTemplate(text, variables)
      : lintTemplate(text, []).filter(({ name }) => names.includes(name));
  const used = placeholders(text);
  const missing = variables.filter((name) => !used.includes(name));
  return { unknown, missing, notes: [...unknown.map(unknownNote(variables)), ...missing.map(missingNote)] };
}

function unknownNote(variables: readonly string[]) {
  const known = variables.map((name) => `{${name}}`).join(", ");
  return ({ name, line, column }: ApiPromptLint["unknown"][number]): string =>
    variables.length > 0
      ? `{${name}} in line ${line}, column ${column} is unknown and stays as it is; known: ${known}`
      : `{${name}} in line ${line}, column ${column} is not filled in here, only in the review request`;
}

function missingNote(name: string): string {
  return `your text does not contain {${name}}, so its content is added at the end`;
}
