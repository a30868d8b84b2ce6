import { userInfo } from "node:os";

/** Who speaks, for the log. */
export function person(): string {
  try {
    return process.env.USER || userInfo().username;
  } catch {
    return "a person";
  }
}
