export type Language =
  | "js"
  | "python"
  | "go"
  | "rust"
  | "jvm"
  | "csharp"
  | "ruby"
  | "php"
  | "swift"
  | "c"
  | "shell"
  | "hash"
  | "css"
  | "html"
  | "sql"
  | "text";

/** What the path alone says about a file; rules use it to stay silent where their words mean something else. */
export interface FileKind {
  language: Language;
  test: boolean;
  /** Data that tests read: broken or odd on purpose more often than not. */
  fixture: boolean;
  /** Written by a tool or taken over from elsewhere: nobody edits its lines by hand. */
  generated: boolean;
  /** Command-line tools, scripts, configuration and examples, where printing is the purpose. */
  tool: boolean;
}

export function fileKind(path: string): FileKind {
  const language = languageOf(path);
  return {
    language,
    test: isTest(path, language),
    fixture: FIXTURE.test(path),
    generated: GENERATED.test(path),
    tool: TOOL.test(path),
  };
}

const LANGUAGES: Record<string, Language> = {
  ...named("js", "js jsx ts tsx mjs cjs mts cts vue svelte"),
  ...named("python", "py pyi pyx"),
  ...named("go", "go"),
  ...named("rust", "rs"),
  ...named("jvm", "java kt kts scala groovy"),
  ...named("csharp", "cs"),
  ...named("ruby", "rb rake"),
  ...named("php", "php"),
  ...named("swift", "swift"),
  ...named("c", "c h cc cpp cxx hpp hh m mm proto"),
  ...named("shell", "sh bash zsh"),
  ...named("hash", "yaml yml toml tf mk pl r ini cfg conf"),
  ...named("css", "css scss less"),
  ...named("html", "html htm xml"),
  ...named("sql", "sql"),
};

const FIXTURE = /(^|\/)(__)?(fixtures?|testdata|test-data|mocks?|snapshots?|cassettes|golden)(__)?\//i;

const GENERATED =
  /(^|\/)(node_modules|vendor|third_party|bower_components|dist|\.yarn)\/|\.min\.(js|css|mjs)$|\.(map|snap|pb\.go|g\.dart)$|_pb2?\.(py|js|ts)$|\.generated\.\w+$|(^|\/)(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lock|Cargo\.lock|poetry\.lock|uv\.lock|Pipfile\.lock|composer\.lock|Gemfile\.lock|go\.sum|go\.work\.sum|flake\.lock|deno\.lock)$/;

const TOOL =
  /(^|\/)(bin|cli|cmd|scripts?|tools?|hack|examples?|samples?|demos?|docs?|bench(marks?)?|play(ground)?|tutorials?|tasks|migrations|seeds?|\.github|\.ci)\/|(^|\/)(cli|main|play(ground)?|scratch|setup|manage|conftest|noxfile|gulpfile|gruntfile|rakefile|logger|logging|log|console|repl)\.\w+$|(^|[/._-])(cli|config|script|demo|example|bench(mark)?|logger|stories)\.\w+$/i;

function languageOf(path: string): Language {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (/^(Dockerfile|Makefile|GNUmakefile|Justfile|Gemfile|Rakefile)/.test(name))
    return /^(Gem|Rake)/.test(name) ? "ruby" : "hash";
  const dot = name.lastIndexOf(".");
  return (dot < 0 ? undefined : LANGUAGES[name.slice(dot + 1).toLowerCase()]) ?? "text";
}

const TEST_FOLDER = /(^|\/)(tests?|specs?|__tests__|e2e|integration-tests?)\//i;

const TEST_NAME: Partial<Record<Language, RegExp>> = {
  js: /\.(test|spec|e2e|cy|test-d|unit|integration)\.[cm]?[jt]sx?$|(^|\/)__tests__\/|(^|\/)test\.[cm]?[jt]s$|[-_](test|spec)\.[cm]?[jt]sx?$/,
  python: /(^|\/)(test_[^/]*|[^/]*_test|tests|conftest)\.py$/,
  go: /_test\.go$/,
  rust: /(^|\/)(tests?|[^/]*_tests?)\.rs$/,
  jvm: /(Tests?|IT|Spec|TestCase)\.(java|kts?|scala|groovy)$|(^|\/)src\/\w*[tT]est\//,
  csharp: /Tests?\.cs$|\.Tests?\//,
  ruby: /_(spec|test)\.rb$|(^|\/)test_[^/]*\.rb$/,
  php: /Test\.php$/,
  swift: /Tests?\.swift$/,
};

/** The folder alone is enough only where the file could hold tests: `tests/data.json` is not a test. */
function isTest(path: string, language: Language): boolean {
  const byName = TEST_NAME[language];
  if (!byName) return false;
  if (byName.test(path)) return true;
  return language !== "go" && TEST_FOLDER.test(path) && !FIXTURE.test(path);
}

function named(language: Language, extensions: string): Record<string, Language> {
  return Object.fromEntries(extensions.split(" ").map((extension) => [extension, language]));
}
