export { isOfOurs } from "@anneal/system/processes/leftovers";
export { userName } from "@anneal/system/processes/user";
export {
  automationTokenOf,
  automationTokens,
  createAutomationToken,
  isAutomationToken,
  revokeAutomationToken,
} from "./automation-tokens.ts";
