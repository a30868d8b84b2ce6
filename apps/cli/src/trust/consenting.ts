import type { Consent } from "@anneal/types";
import { speaker } from "../project/person.ts";

/** Whose consent it is, and how they gave it. */
export async function consenting(): Promise<Pick<Consent, "by" | "at" | "through">> {
  const { by, via } = await speaker("trust");
  return { by, at: new Date().toISOString(), through: via };
}
