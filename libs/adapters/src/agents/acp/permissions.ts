import type { PermissionOption, RequestPermissionResponse, ToolCallUpdate } from "@agentclientprotocol/sdk/unstable";
import type { Role } from "../../ports.ts";
import { mayWrite } from "../cli/roles.ts";
import { isInside } from "./files.ts";

const READING = new Set(["read", "search", "think"]);
const EDITING = new Set(["edit", "delete", "move"]);

export interface PermissionRequest {
  role: Role;
  cwd: string;
  /** Whether whatever it starts is shut into the work tree. */
  sandboxed: boolean;
  /** What it wants to do; the kind may have arrived before the question. */
  call: ToolCallUpdate;
  kind: string | null | undefined;
}

/** Whether a tool may be used, by role. What is not known to be harmless is not allowed. */
export async function isAllowed({ role, cwd, sandboxed, call, kind = "other" }: PermissionRequest): Promise<boolean> {
  if (READING.has(kind ?? "")) return true;
  if (!mayWrite(role)) return false;
  if (kind === "execute") return sandboxed;
  if (!EDITING.has(kind ?? "")) return false;
  const paths = pathsOf(call);
  const inside = await Promise.all(paths.map((path) => isInside(cwd, path)));
  return paths.length > 0 && inside.every((one) => one);
}

function pathsOf({ locations, content }: ToolCallUpdate): string[] {
  const changed = (content ?? []).flatMap((part) => (part.type === "diff" ? [part.path] : []));
  return [...(locations ?? []).map(({ path }) => path), ...changed];
}

/** Says yes for this once only: a lasting yes would hold for what we have not seen. */
export function permission(allowed: boolean, options: readonly PermissionOption[]): RequestPermissionResponse {
  const wanted = allowed ? (["allow_once"] as const) : (["reject_once", "reject_always"] as const);
  const found = wanted.map((kind) => options.find((option) => option.kind === kind)).find((one) => one !== undefined);
  return {
    outcome: found === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId: found.optionId },
  };
}
