import { describe } from "vitest";
import { conversationContract } from "./forge-contract-conversation.ts";
import { pullRequestContract } from "./forge-contract-pulls.ts";
import { type ForgeWorld, forgeFixture } from "./forge-world.ts";

/** What holds for every forge. */
export function forgeContract(name: string, make: () => Promise<ForgeWorld>): void {
  describe(`${name} keeps the forge contract`, () => {
    const fixture = forgeFixture(make);
    pullRequestContract(fixture);
    conversationContract(fixture);
  });
}
