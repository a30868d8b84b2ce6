import type { NamedProgram, Usage } from "@anneal/types";

/** Something that the user asked for cannot be done as asked; the message says what to do instead. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Somebody says something to an item that has no loop. */
export class NoLoopYet extends UsageError {
  readonly item: string;

  constructor(item: string) {
    super(`${item} has no loop yet; start one with anneal run ${item}`);
    this.item = item;
  }
}

/** Programs that the repository names would run, and nobody has agreed to that. */
export class NeedsConsent extends UsageError {
  readonly programs: readonly NamedProgram[];

  constructor(message: string, programs: readonly NamedProgram[]) {
    super(message);
    this.programs = programs;
  }
}

/** There is no change to judge. That is not a pass: nothing was looked at. */
export class NothingToReview extends Error {
  override readonly name = "NothingToReview";
}

/** What failed will fail again until somebody does something about it; the message says what. */
export class LastingError extends Error {
  override readonly name = "LastingError";
}

/** A setting has to be corrected before this can be done at all; no agent can do that. */
export class Misconfigured extends LastingError {
  readonly setting: "testCommand";

  constructor(setting: "testCommand", message: string) {
    super(message);
    this.setting = setting;
  }
}

/** An agent did not finish. What it used is used all the same. */
export class AgentFailed extends Error {
  override readonly name = "AgentFailed";
  readonly usage: Usage;
  /** A person has to mend something before it can. */
  readonly lasting: boolean;

  constructor(message: string, { usage, lasting = false }: { usage: Usage; lasting?: boolean }) {
    super(message);
    this.usage = usage;
    this.lasting = lasting;
  }
}
