import { z } from "zod";
import { PushConsent } from "./settings.ts";
import { Via } from "./speaker.ts";

/** What a repository has us run: what it is for. */
export const ProgramUse = z.enum([
  "set-up",
  "test command",
  "baseline check",
  "task check",
  "reviewer",
  "pipeline step",
  "hook",
]);
export type ProgramUse = z.infer<typeof ProgramUse>;

/** A program that a repository names, as a person agrees to it: to these words and to this content, and to no other. */
export const NamedProgram = z.object({
  use: ProgramUse,
  /** The file that names it. */
  place: z.string(),
  /** The command line; of a hook its file, of a step its instructions. */
  command: z.string(),
  /** What it names directly in the tree, whose content the hash covers. */
  files: z.array(z.string()),
  /** Over use, command and content. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
});
export type NamedProgram = z.infer<typeof NamedProgram>;

/** A person's word that a program may run, in one repository. */
export const Consent = NamedProgram.extend({ by: z.string(), at: z.iso.datetime(), through: Via });
export type Consent = z.infer<typeof Consent>;

/** A program that was to run and that nobody has agreed to; `at` is the commit or the folder whose content it has. */
export const AskedProgram = NamedProgram.extend({ at: z.string() });
export type AskedProgram = z.infer<typeof AskedProgram>;

/** What was said about the programs of one repository, and what waits to be said. */
export const RepositoryConsent = z.object({
  agreed: z.array(Consent),
  asked: z.array(AskedProgram),
  /** Where git tracks the project's settings, which then cannot hold it. */
  push: PushConsent.optional(),
});
export type RepositoryConsent = z.infer<typeof RepositoryConsent>;

/** `{DATA_DIR}/consent.json`: by the folder of git that all work trees of a repository share. */
export const ConsentFile = z.looseObject({
  version: z.literal(1),
  repositories: z.record(z.string(), RepositoryConsent),
});
export type ConsentFile = z.infer<typeof ConsentFile>;
