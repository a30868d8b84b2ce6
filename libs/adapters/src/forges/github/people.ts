import type { People, Permission } from "../contract/port.ts";
import type { GithubClient } from "./client/client.ts";
import { ForgeRefusal } from "./client/failures.ts";
import { fieldsOf, maybeText, textOf } from "./client/fields.ts";

const PERMISSIONS: readonly string[] = ["none", "read", "triage", "write", "maintain", "admin"];

export function people(client: GithubClient): People {
  return {
    me: () => myLogin(client),
    async permission(user) {
      try {
        const answer = await client.get(client.path("collaborators", user, "permission"));
        // The role may be one that an organisation made; what it can do stands in the other field.
        const found = [maybeText(answer, "role_name"), maybeText(answer, "permission")].find(isPermission);
        return found ?? "none";
      } catch (error) {
        if (error instanceof ForgeRefusal && error.kind === "not-found") return "none";
        throw error;
      }
    },
  };
}

function isPermission(name: string | null): name is Permission {
  return name !== null && PERMISSIONS.includes(name);
}

/** The account of the token. It is asked for once: nobody changes it under a running program. */
export async function myLogin(client: GithubClient): Promise<string> {
  client.account.login ??= await ask(client);
  return client.account.login;
}

async function ask(client: GithubClient): Promise<string> {
  try {
    return textOf(await client.get("/user"), "login");
  } catch (error) {
    // The token of a workflow or an app belongs to no user.
    if (!(error instanceof ForgeRefusal) || error.status !== 403) throw error;
    return textOf(fieldsOf(await client.graphql("viewer")).viewer, "login");
  }
}

export function hasName(names: readonly string[], name: string): boolean {
  return names.some((one) => isSameName(one, name));
}

/** Names of accounts and labels differ in more than their case. */
export function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
