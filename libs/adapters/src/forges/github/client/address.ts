/** A repository on GitHub, and where its interfaces are. */
export interface GithubAddress {
  /** As tokens are kept by: `github.com`, or the host of an enterprise server with its port. */
  host: string;
  owner: string;
  repo: string;
  /** Without a slash at the end, as the next two. */
  rest: string;
  graphql: string;
  /** Plain http on this very machine: a stand-in for tests. */
  isLocal: boolean;
}

/** An account has no dots; `_` stands in accounts that a company manages. */
const OWNER = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;
const REPO = /^[A-Za-z0-9._-]{1,100}$/;
const SCP = /^(?:[^@/\s]+@)?([A-Za-z0-9.-]+):(?!\/\/)\/?([^\s]+)$/;

/** The repository behind an address that git could use; null where it does not name one. */
export function githubAddress(address: string): GithubAddress | null {
  const url = /^(?:https?|ssh):\/\//i.test(address) ? URL.parse(address) : null;
  const [, scpHost, scpPath] = url === null ? (SCP.exec(address) ?? []) : [];
  const host = url === null ? scpHost : url.protocol === "ssh:" ? url.hostname : url.host;
  const path = url === null ? scpPath : url.pathname.slice(1);
  if (host === undefined || host === "" || path === undefined) return null;
  const isLocal = url?.protocol === "http:";
  // A token goes there: what others can read on the way is no address.
  if (isLocal && !isLoopback(url.hostname)) return null;
  const [owner = "", name = "", ...more] = path.replace(/\/$/, "").split("/");
  const repo = name.replace(/\.git$/i, "");
  if (more.length > 0 || !OWNER.test(owner) || !REPO.test(repo) || repo === "." || repo === "..") return null;
  const known = WEB_HOSTS[host.toLowerCase()] ?? host.toLowerCase();
  return { host: known, owner, repo, ...interfacesOf(known, isLocal), isLocal };
}

/** Whether a host is GitHub's own; others are GitHub only where somebody says so. */
export function isGithubHost(host: string): boolean {
  return host === "github.com" || isTenant(host);
}

const WEB_HOSTS: Record<string, string> = { "www.github.com": "github.com", "ssh.github.com": "github.com" };

/** A company's own part of GitHub, each under a name of its own. */
function isTenant(host: string): boolean {
  return /^[a-z0-9-]+\.ghe\.com$/.test(host);
}

function interfacesOf(host: string, isLocal: boolean): Pick<GithubAddress, "rest" | "graphql"> {
  if (isLocal) return { rest: `http://${host}`, graphql: `http://${host}/graphql` };
  if (isGithubHost(host)) return { rest: `https://api.${host}`, graphql: `https://api.${host}/graphql` };
  return { rest: `https://${host}/api/v3`, graphql: `https://${host}/api/graphql` };
}

/** The URL has written it in the one way that there is. */
function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
