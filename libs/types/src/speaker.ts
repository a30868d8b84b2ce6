import { z } from "zod";

/** What only a person may say, and what a person may let an automation token say: words to a loop, rulings, and consents. */
export const Right = z.enum([
  "approve",
  "accept",
  "one-more",
  "skip",
  "take-over",
  "dismiss",
  "accept-risk",
  "defer",
  "reopen",
  "settings",
  "push",
  "trust",
]);
export type Right = z.infer<typeof Right>;

/** How somebody proved who they are: a login in the browser, an interactive terminal, or a token. */
export const Via = z.enum(["browser", "terminal", "token"]);
export type Via = z.infer<typeof Via>;

/** Who speaks. Without `via` nobody has proved to be a person. */
export const Speaker = z.object({ by: z.string(), via: Via.optional() });
export type Speaker = z.infer<typeof Speaker>;

/** A token that a person made for a program: what it may say, and until when. Only the hash of its text is kept. */
export const AutomationToken = z.object({
  name: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,40}$/, "a name has up to 41 letters, digits, dots, dashes and underscores"),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  rights: z.array(Right).min(1),
  until: z.iso.datetime(),
  madeAt: z.iso.datetime(),
  /** Who made it. */
  by: z.string(),
});
export type AutomationToken = z.infer<typeof AutomationToken>;

/** `{DATA_DIR}/automation-tokens.json`. */
export const AutomationTokens = z.looseObject({ version: z.literal(1), tokens: z.array(AutomationToken) });
export type AutomationTokens = z.infer<typeof AutomationTokens>;
