import type { Role } from "../../ports.ts";

/** Reviewers and analysts only read. */
export function mayWrite(role: Role): boolean {
  return role === "fixer" || role === "implementer";
}
