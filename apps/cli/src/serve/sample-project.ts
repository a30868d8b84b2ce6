import { existsSync } from "node:fs";
import { join } from "node:path";
import { initRepo } from "@anneal/engine";
import { agree, shownPrograms } from "@anneal/engine/consent";
import { lay, MAIN } from "../demo/project.ts";

const IDENTITY = { name: "Anneal sample", email: "sample@anneal.invalid" };
const PLAYER = "scripted:.automaker/scripts/{id}.json";

/** A small project to look at, made once: its features wait on the board, and a script plays their agents. */
export async function sampleProject(dataDir: string): Promise<string> {
  const root = join(dataDir, "sample-project");
  if (existsSync(join(root, ".git"))) return root;
  lay(root, MAIN);
  const repo = await initRepo(root, IDENTITY);
  await repo.commitAll("feat: a cart with a total");
  lay(root, {
    ".automaker/settings.json": json({
      version: 1,
      testCommand: "node --test",
      agents: { implementer: PLAYER, reviewer: PLAYER, fixer: PLAYER },
    }),
    ...feature("discounts", "Add discounts", "A cart can be discounted by a percentage.", [
      builds("src/discount.js", "export const discounted = (total, percent) => total * (1 - percent);\n"),
      review("[REJECTED]", [
        "- **[CODE]** - error: The percentage is not divided by 100",
        "  - Description: percent is subtracted from 1 as it is, so that 10 makes the total negative.",
        "  - File: src/discount.js",
        "  - Line: 1",
        "  - Suggestion: divide it by 100",
      ]),
      fixes("src/discount.js", "export const discounted = (total, percent) => total * (1 - percent / 100);\n"),
      review("[APPROVED]", []),
    ]),
    ...feature("receipt", "Print a receipt", "A receipt names every item with its price.", [
      builds(
        "src/receipt.js",
        'export const receipt = (items) => items.map(({ name, price }) => name + " " + price).join("\\n");\n',
      ),
      review("[APPROVED]", []),
    ]),
    ...feature(
      "gift-cards",
      "Pay with a gift card",
      "A gift card pays for a part of the cart, and never for more than its balance.",
      [
        builds("src/gift-card.js", "export const pay = (total, card) => total - card.value;\n"),
        review("[REJECTED]", [
          "- **[CODE]** - error: A card pays more than the cart costs",
          "  - Description: the total becomes negative when the balance is higher than the total.",
          "  - File: src/gift-card.js",
          "  - Line: 1",
          "  - Suggestion: pay the smaller of the two",
        ]),
        fixes("src/gift-card.js", "export const pay = (total, card) => Math.max(0, total - card.value);\n"),
        review("[REJECTED]", [
          "- **[CODE]** - error: The remaining balance is lost",
          "  - Description: pay does not return what is left on the card.",
          "  - File: src/gift-card.js",
          "  - Line: 1",
          "  - Suggestion: also return the remaining balance",
        ]),
        fixes(
          "src/gift-card.js",
          "export const pay = (total, card) => ({ total: Math.max(0, total - card.value), left: card.value - total });\n",
        ),
        review("[REJECTED]", [
          "- **[CODE]** - error: The remaining balance can be negative",
          "  - Description: a card that does not cover the total gets a negative balance.",
          "  - File: src/gift-card.js",
          "  - Line: 1",
          "  - Suggestion: let it end at zero",
        ]),
        fixes(
          "src/gift-card.js",
          "export const pay = (total, { value }) => ({ total: Math.max(0, total - value), left: Math.max(0, value - total) });\n",
        ),
        review("[APPROVED]", []),
      ],
    ),
    ...feature(
      "free-shipping",
      "Free shipping from 50 on",
      "Orders of 50 or more ship for free; the cart says how much is missing.",
      [
        builds("src/shipping.js", "export const shipping = (total) => (total >= 50 ? 0 : 5);\n"),
        review("[APPROVED]", [
          "- **[TEST]** - warning: No test covers the limit",
          "  - Description: no test has a total of exactly 50.",
          "  - File: src/shipping.js",
          "  - Line: 1",
        ]),
      ],
      { skipTests: true },
    ),
    ...feature(
      "tax",
      "Add tax by country",
      "Prices are shown with the tax of the buyer's country.",
      [
        builds("src/tax.js", "export const taxed = (price, rate) => Math.round(price * (1 + rate) * 100) / 100;\n"),
        review("[APPROVED]", []),
      ],
      { dependencies: ["discounts"] },
    ),
  });
  // We wrote its test command ourselves a moment ago.
  const given = { by: IDENTITY.name, at: new Date().toISOString(), through: "terminal" } as const;
  await agree(repo, await shownPrograms(repo), given);
  return root;
}

function feature(
  id: string,
  title: string,
  description: string,
  steps: object[],
  more: { skipTests?: boolean; dependencies?: string[] } = {},
): Record<string, string> {
  const fields = { id, title, category: "Shop", description, status: "backlog", ...more };
  return {
    [`.automaker/features/${id}/feature.json`]: json(fields),
    [`.automaker/scripts/${id}.json`]: json({ steps: steps.map((step) => ({ delayMs: STEP_MS, ...step })) }),
  };
}

/** Slow enough to be watched. */
const STEP_MS = 2_000;

function builds(path: string, content: string): object {
  return { role: "implementer", edits: [{ path, content }], answer: `I wrote ${path}.` };
}

function fixes(path: string, content: string): object {
  return { role: "fixer", edits: [{ path, content }], answer: `I changed ${path}.` };
}

function review(decision: "[APPROVED]" | "[REJECTED]", issues: string[]): object {
  const found = issues.length === 0 ? "None" : issues.join("\n");
  const answer = `**${decision}**\n\n### Issues Found\n${found}\n\n### Summary\nRead whole.\n\n${decision === "[APPROVED]" ? SIGN_OFF : ""}END OF REVIEW\n`;
  return { role: "reviewer", answer };
}

const SIGN_OFF =
  "## Sign-off\n\n- Requirements: 1 of 1 met\n- Not reviewed: none\n- Conditions: none\n- Decision: approved\n\n";

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
