import type { ApiItem } from "@anneal/types";
import { RequestProblem } from "../problem.ts";
import type { ServedProject } from "./served-project.ts";

/** The item with this key. */
export async function itemNamed({ items, name }: ServedProject, key: string): Promise<ApiItem> {
  const item = await items.item(key);
  if (item !== null) return item;
  throw new RequestProblem("not-found", `nothing is called ${key} in ${name}; list them with GET …/items`);
}
