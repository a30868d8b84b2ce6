import { delimiter, isAbsolute } from "node:path";

/** What a program needs to run at all. */
const BASICS = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "TERM",
  "TMPDIR",
  "LANG",
  "LC_ALL",
  "LC_CTYPE",
  "TZ",
  "SystemRoot",
];

/** How the network is reached from this machine. Without these a package manager waits for a network that is not there. */
const NETWORK = [
  ...["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"].flatMap((name) => [name, name.toLowerCase()]),
  ...["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "PIP_CERT"],
  ...["GIT_SSL_CAINFO", "AWS_CA_BUNDLE", "CARGO_HTTP_CAINFO", "NIX_SSL_CERT_FILE"],
];

/** Where packages come from. */
const REGISTRIES = [
  ...["npm_config_registry", "NPM_CONFIG_REGISTRY", "YARN_NPM_REGISTRY_SERVER", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL"],
  ...["UV_INDEX_URL", "UV_DEFAULT_INDEX", "GOPROXY", "GOSUMDB", "GOPRIVATE", "GONOSUMDB", "GONOPROXY"],
];

/** Where languages and their caches lie. */
const LANGUAGES = [
  ...["NVM_DIR", "VOLTA_HOME", "FNM_DIR", "PNPM_HOME", "BUN_INSTALL", "ASDF_DIR", "ASDF_DATA_DIR", "MISE_DATA_DIR"],
  ...[
    "PYENV_ROOT",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "GOROOT",
    "GOPATH",
    "GOCACHE",
    "GOMODCACHE",
    "CARGO_HOME",
    "RUSTUP_HOME",
  ],
  ...["JAVA_HOME", "GRADLE_USER_HOME", "MAVEN_HOME", "M2_HOME", "SDKMAN_DIR", "DOTNET_ROOT", "GEM_HOME", "RBENV_ROOT"],
  ...["XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"],
];

const KEPT = [...BASICS, ...NETWORK, ...REGISTRIES, ...LANGUAGES];

/** What a program needs to work as in a developer's shell; no keys, no tokens, no address with a password in it. */
export function scrubbedEnvironment(from: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of KEPT) {
    const value = from[name];
    if (value !== undefined && !WITH_PASSWORD.test(value)) kept[name] = value;
  }
  return kept.PATH === undefined ? kept : { ...kept, PATH: absoluteOnly(kept.PATH) };
}

const WITH_PASSWORD = /:\/\/[^/\s]*@/;

/** A folder such as `.` would be one of the tree that the program works in, and its programs those that are judged. */
function absoluteOnly(path: string): string {
  return path.split(delimiter).filter(isAbsolute).join(delimiter);
}

/** Speaks for whoever made it, so nothing that we start is given it, whatever a setting passes on. */
const OUR_TOKEN = "ANNEAL_TOKEN";

export function withoutOurToken<T extends NodeJS.ProcessEnv>(env: T): T {
  const { [OUR_TOKEN]: _, ...rest } = env;
  return rest as T;
}
