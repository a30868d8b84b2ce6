import { userInfo } from "node:os";

/** The account that this process runs under, as the system says it: variables such as USER say what anybody wrote there. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "a person";
  }
}
