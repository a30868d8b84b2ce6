import { describe, expect, test } from "vitest";
import { builtinReviewer } from "../reviewer.ts";
import { changeOf, findingsOf, seen } from "../testing/memory-change.ts";
import { mask } from "./secret.ts";

// Put together at run time, so that no scanner takes this file for a leak.
const join = (...parts: string[]) => parts.join("");
const github = join("ghp", "_wWPw5k4aXcaT4fNP", "0UcnZwJUVFk6LO0pINUx");
const aws = join("aB3/dE5fGh7i", "Jk9lMn1oPq3rSt5uVw7xYz0aBc2d");
const body = "MIIEowIBAAKCAQEAtw1ykuTtTXxGfCX4nLrUqzBqA9sR0dEoYvHcKp3mJwT5ZbXQ";
const key = (kind = "") => [
  join("-----BEGIN ", kind, "PRIVATE KEY-----"),
  body,
  body,
  join("-----END ", kind, "PRIVATE KEY-----"),
];

describe("secret reports", () => {
  test.for([
    { what: "a GitHub token", path: "src/a.ts", after: `const x = 1;\nconst t = "${github}";\n`, at: 2 },
    { what: "a token in a lock file", path: "yarn.lock", after: `a\nb\nresolved "${github}"\n`, at: 3 },
    { what: "a token in a document", path: "README.md", after: `use ${github} to log in\n`, at: 1 },
    { what: "a token next to unicode", path: "a.py", after: `# schlüssel → 🔑\nT = "${github}"\n`, at: 2 },
    { what: "a token in CRLF text", path: "a.env", after: `A=1\r\nT=${github}\r\n`, at: 2 },
    { what: "a token without a final newline", path: "a.env", after: `A=1\nT=${github}`, at: 2 },
    { what: "a token in a vendored file", path: "vendor/x.js", after: `t="${github}"\n`, at: 1 },
    {
      what: "a token that a comment tells the scanner to ignore",
      path: "a.js",
      after: `// secretlint-disable\nt("${github}")\n`,
      at: 2,
    },
    { what: "an AWS key id", path: "a.tf", after: `key = "${join("AKI", "AQYLPMN5HHHFPZAM2")}"\n`, at: 1 },
    { what: "an AWS secret", path: "a.env", after: `aws_secret_access_key = "${aws}"\n`, at: 1 },
    {
      what: "a Slack token",
      path: "a.js",
      after: `s("${join("xoxb", "-263594206564-2343594206574-FGqddMF8t08v8N7Oq4i57vs1")}")\n`,
      at: 1,
    },
    { what: "a Stripe key", path: "a.rb", after: `k = "${join("sk", "_live_", "51HyqkqGswQrBwWvZ3mT7uXe")}"\n`, at: 1 },
    { what: "a GitLab token", path: "a.yml", after: `t: ${join("glpat", "-Zs7Kq2Lw9Xc4Vb6Nm1Pq")}\n`, at: 1 },
    {
      what: "an npm token",
      path: ".npmrc",
      after: `//registry.npmjs.org/:_authToken=${join("npm", "_Zx7Qw3Lk9Vb2Nm5Tr8Yp1Uo4Ia6Sd0Fg3Hj")}\n`,
      at: 1,
    },
    {
      what: "a Hugging Face token of letters only",
      path: "a.py",
      after: `t = "${join("hf", "_QzErTxUkOpAsDwGhJmLzXcVbNrPoIuYtRe")}"\n`,
      at: 1,
    },
    {
      what: "a password in a URL",
      path: "a.py",
      after: `u = "https://svc:${join("Rk9", "vQ2mZt7")}@git.corp-internal.io/r"\n`,
      at: 1,
    },
    {
      what: "a database password",
      path: "a.env",
      after: `DB=postgres://app:${join("Rk9", "vQ2mZt7w")}@db.prod.acme.io/main\n`,
      at: 1,
    },
    { what: "a private key", path: "a.pem", after: `${key("RSA ").join("\n")}\n`, at: 1 },
    { what: "a private key of no named kind", path: "a.pem", after: `x\n${key().join("\n")}\n`, at: 2 },
    { what: "an encrypted private key", path: "a.pem", after: `${key("ENCRYPTED ").join("\n")}\n`, at: 1 },
    { what: "a private key on one line of JSON", path: "a.json", after: `{\n"k": "${key().join("\\n")}"\n}\n`, at: 2 },
    {
      what: "a private key cut off before its end",
      path: "a.txt",
      after: `${key("EC ").slice(0, 2).join("\n")}\n`,
      at: 1,
    },
  ])("$what", async ({ path, after, at }) => {
    expect(await seen([{ path, after }])).toEqual([`secret@${at}`]);
  });
});

// Ids that look issued: no word, no run, no repetition.
const id = (length: number) => "Zx7Qw3Lk9Vb2Nm5Tr8Yp1Uo4Ia6Sd0Fg3HjKc".repeat(9).slice(0, length);
const hex = (length: number) => "7f3a9c1e5b2d8064".repeat(9).slice(0, length);

describe("secret knows every kind of the scanner", () => {
  test.for([
    ["aws", "AKI", "AQYLPMN5HHHFPZAM2"],
    ["anthropic", "sk-ant", `-api03-${id(93)}AA`],
    ["openai", "sk", `-proj-${id(74)}T3BlbkFJ${id(74)}`],
    ["groq", "gsk", `_${id(52)}`],
    ["huggingface", "hf", "_QzErTxUkOpAsDwGhJmLzXcVbNrPoIuYtRe"],
    ["linear", "lin_api", `_${id(40)}`],
    ["notion", "ntn", `_73914820657${id(35)}`],
    ["sendgrid", "SG", `.${id(22)}.${id(43)}`],
    ["shopify", "shpat", `_${hex(32)}`],
    ["stripe", "rk_live", `_${id(24)}`],
    ["github", "github_pat", `_${id(82)}`],
    ["gitlab", "glpat", `-${id(20)}`],
    ["grafana", "glc", `_${id(40)}`],
    ["grafana", "glsa", `_${id(32)}_${hex(8)}`],
    ["1password", "ops", `_${btoa(`{"k":"${id(101)}"}`)}`],
    ["hashicorp-vault", "hvs", `.${id(95)}`],
    ["vercel", "vcp", `_${id(24)}`],
    ["databricks", "dapi", hex(32)],
    ["docker", "dckr_pat", `_${id(27)}`],
    ["figma", "figd", `_${id(40)}`],
    ["cloudflare", "cfut", `_${id(40)}${hex(8)}`],
    ["tailscale", "tskey", `-auth-${id(12)}-${id(24)}`],
    ["slack", "https://hooks.slack.com", `/services/T${id(8)}/B${id(8)}/${id(24)}`],
  ])("%s: %s", async ([, prefix = "", rest = ""]) => {
    expect(await seen([{ path: "src/a.txt", after: `key ${prefix}${rest}\n` }])).toEqual(["secret@1"]);
  });

  test("and the scanner has no kind that this table or the one above does not know", async () => {
    const { rules } = await import("@secretlint/secretlint-rule-preset-recommend");
    const names = rules.map((rule) => rule.meta.id.replace("@secretlint/secretlint-rule-", ""));
    expect(names.sort().join(" ")).toBe(
      "1password anthropic aws basicauth cloudflare database-connection-string databricks docker figma filter-comments gcp github gitlab grafana groq hashicorp-vault huggingface linear notion npm openai privatekey sendgrid shopify slack stripe tailscale vercel",
    );
  });
});

describe("secret takes no chances with", () => {
  test.for([
    {
      what: "a token that only counts: it has the shape",
      after: `const t = "${join("ghp_", "123456789012345678901234567890abcdef")}";\n`,
    },
    {
      what: "a random literal under a telling name",
      after: `const dbPassword = "${join("q8Zt2", "mVx9Lr4Kp7Wn3")}";\n`,
    },
    { what: "a Google API key", after: `const k = "${join("AIza", "SyB4k9Zt2mVx9Lr4Kp7Wn3Qe6Rt8Yu1Io5P")}";\n` },
    { what: "a project key of OpenAI", after: `K=${join("sk-proj-", "a9Zt2mVx9Lr4Kp7Wn3Qe6Rt8Yu1Io5PaS2d")}\n` },
    { what: "the same in YAML", after: `api_key: "${join("9f2c1e7b", "4a8d3f6e0b5c")}"\n` },
  ])("$what", async ({ after }) => {
    expect(await seen([{ path: "src/a.txt", after }], "secret")).toEqual(["secret@1"]);
  });
});

describe("secret is silent about telling names with", () => {
  test.for([
    'const tokenType = "application/x-www-form-urlencoded";\n',
    'const password = "correct horse battery staple";\n',
    'const secretName = "my-app-production-database-secret";\n',
    'const token = "TOKEN_KIND_IDENTIFIER_START";\n',
    'const apiKeyHeader = "x-api-key-authorization-v2";\n',
    'const accessKey = "{{ env.ACCESS_KEY_1234567890 }}";\n',
    'const credentialsUrl = "https://example.com/a1b2c3d4e5f6g7";\n',
    'const passwordPattern = "^(?=.*[0-9])(?=.*[a-z]).{8,16}$";\n',
  ])("%j", async (after) => {
    expect(await seen([{ path: "src/a.ts", after }], "secret")).toEqual([]);
  });
});

describe("secret is silent about", () => {
  test.for([
    { what: "a value read from the environment", path: "a.ts", after: "const token = process.env.GITHUB_TOKEN;\n" },
    { what: "a token of x", path: "a.md", after: `export T=${join("ghp_", "x".repeat(36))}\n` },
    { what: "a key that says it is an example", path: "a.tf", after: `key = "${join("AKIA", "IOSFODNN7EXAMPLE")}"\n` },
    { what: "a token in angle brackets", path: "a.md", after: "Authorization: Bearer <your-token>\n" },
    {
      what: "a template in a URL",
      path: "a.ts",
      after: `const u = \`https://$${"{user}"}:$${"{password}"}@host.corp.io/x\`;\n`,
    },
    {
      what: "a local database",
      path: "docker-compose.yml",
      after: "DB: postgres://app:Rk9vQ2mZt7w@localhost:5432/main\n",
    },
    {
      what: "a database next door in a compose file",
      path: "docker-compose.yml",
      after: "DB: postgres://app:Rk9vQ2mZt7w@db:5432/main\n",
    },
    {
      what: "a database password that is the word postgres",
      path: "a.env",
      after: "DB=postgres://app:postgres@db.prod.acme.io/main\n",
    },
    { what: "a password that is the word password", path: "a.md", after: "https://user:password@git.acme.io/repo\n" },
    { what: "an address of example.com", path: "a.py", after: 'u = "https://joe:Rk9vQ2mZt7@example.com/x"\n' },
    { what: "a commit id", path: "a.md", after: "Fixed in 4bd3dd6f0a1b2c3d4e5f60718293a4b5c6d7e8f9.\n" },
    {
      what: "an integrity hash",
      path: "package-lock.json",
      after: `{"integrity": "sha512-${"q3Vb7Lm9".repeat(11)}=="}\n`,
    },
    {
      what: "names that only begin like a key",
      path: "a.ts",
      after: "SG.utils.parse(x); const xoxb = 'xoxb-test-token';\n",
    },
    { what: "a UUID", path: "a.ts", after: 'const id = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";\n' },
    {
      what: "code that recognises key headers",
      path: "a.ts",
      after: `if (text.includes("${join("-----BEGIN ", "PRIVATE KEY-----")}")) stop();\n`,
    },
    { what: "a public key", path: "a.pem", after: `-----BEGIN PUBLIC KEY-----\n${body}\n-----END PUBLIC KEY-----\n` },
    {
      what: "a key whose body is left out",
      path: "a.md",
      after: `${join("-----BEGIN RSA ", "PRIVATE KEY-----")}\n...\n${join("-----END RSA ", "PRIVATE KEY-----")}\n`,
    },
    { what: "an AWS account number", path: "a.tf", after: 'aws_account_id = "417283950617"\n' },
    { what: "a secret that the change removes", path: "a.ts", before: `t("${github}");\nx();\n`, after: "x();\n" },
    {
      what: "a secret that was there before",
      path: "a.ts",
      before: `t("${github}");\nx();\n`,
      after: `t("${github}");\ny();\n`,
    },
  ])("$what", async ({ what: _, ...edit }) => {
    expect(await seen([edit], "secret")).toEqual([]);
  });
});

describe("secret never spreads what it finds", () => {
  const edits = [
    {
      path: "src/a.ts",
      after: `console.log("${github}");\n// TODO rotate ${github}\nconst both = ["${github}", "${github}"];\n`,
    },
    { path: "aws.env", after: `aws_secret_access_key = "${aws}"\n` },
    { path: "key.pem", after: `${key("RSA ").join("\n")}\n` },
    { path: "one-line.json", after: `{"k": "${key().join("\\n")}"}\n` },
    { path: "db.env", after: `DB=postgres://app:${join("Rk9", "vQ2mZt7w")}@db.prod.acme.io/main\n` },
  ];

  test("a report holds no secret, whichever rule quotes the line", async () => {
    const answer = await builtinReviewer.review(changeOf(edits), new AbortController().signal);
    const text = JSON.stringify(answer);
    for (const value of [github, github.slice(4), body, aws, aws.slice(-12), join("Rk9", "vQ2mZt7w")])
      expect(text).not.toContain(value);
    expect(text).toContain("debug-leftover");
  });

  test("the masked line is the same on every run and keeps the first four characters", async () => {
    const first = await findingsOf(edits);
    expect(await findingsOf(edits)).toEqual(first);
    expect(first.find((one) => one.rule === "secret")?.snippet).toBe('console.log("ghp_****");');
  });

  test.for([
    { value: github, masked: "ghp_****" },
    { value: "short", masked: "****" },
    { value: "https://joe:pass@host.io/x", masked: "https://****@host.io/x" },
    { value: join("-----BEGIN ", "PRIVATE KEY-----", body), masked: join("-----BEGIN ", "PRIVATE KEY-----", "****") },
  ])("masks to $masked", ({ value, masked }) => {
    expect(mask(value)).toBe(masked);
  });
});
