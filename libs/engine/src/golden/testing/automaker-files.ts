import type { Files } from "../../../../git/src/testing/make-repo.ts";

/** As Automaker writes JSON: two spaces, no newline at the end. */
const json = (value: unknown): string => JSON.stringify(value, null, 2);

const lines = (newline: string, ...all: string[]): string => all.join(newline);
const at = (id: string, file = "feature.json"): string => `.automaker/features/${id}/${file}`;

/** In the backlog, by somebody's editor: tabs, CRLF, keys in another order, escapes, numbers in odd forms. */
export const BACKLOG = "feature-1767950000000-backlog00";
const backlog = lines(
  "\r\n",
  "{",
  '\t"status" : "backlog",',
  `\t"id":"${BACKLOG}",`,
  '\t"title": "Sort the sh\\u0065lf \\u2013 \\"by author\\"",',
  '\t"category": "Regal \u{1F4DA}",',
  '\t"description": "B\u00fccher nach Autor.\\r\\nDann nach Jahr\\/Band.",',
  '\t"priority": 1.0,',
  '\t"serial": 12345678901234567890, "weight": 1e3,',
  '\t"imagePaths": [{"id":"img-1","path":"images\\/shelf.png","filename":"shelf.png","mimeType":"image/png","x-size":{"w":3,"h":4}}],',
  '\t"textFilePaths": [ { "id": "txt-1", "path": "notes.txt", "content": "eins\\nzwei" } ],',
  '\t"dependencies": [],',
  '\t"__proto__": {"kept": true}, "": "an empty key",',
  '\t"skipTests": false,   "branchName": null,',
  '\t"planSpec": {"status":"approved","content":"1. sort","version":2,"tasks":[{"id":"T001","x":null}]},',
  '\t"descriptionHistory": [{"description":"old","timestamp":"2026-01-08T10:00:00.000Z","source":"initial"}]',
  "}",
  "",
);

/** Left in the middle of its work when Automaker went away. */
export const IN_PROGRESS = "feature-1767950000001-progress0";
const inProgress = json({
  id: IN_PROGRESS,
  category: "Core",
  title: "Lend a book",
  description: "A reader may take three.",
  status: "in_progress",
  model: "opus",
  thinkingLevel: "none",
  reasoningEffort: "medium",
  planningMode: "spec",
  requirePlanApproval: true,
  startedAt: "2026-01-09T14:00:00.000Z",
  titleGenerating: false,
  error: null,
});

/** One line, a byte order mark, a newline at the end. */
const waiting = `\uFEFF{"id":"feature-1767950000002-waiting00","description":"","status":"waiting_approval","skipTests":true,"summary":"Done.","x":[1,[2,{"y":{}}]]}\n`;

const verified = json({
  id: "feature-1767950000003-verified0",
  title: "Return a book",
  description: "It goes back to the shelf.",
  status: "verified",
  justFinishedAt: "2026-01-09T15:00:00.000Z",
  dependencies: [],
});

const completed = lines(
  "\n",
  "  {",
  '    "id"          : "feature-1767950000004-completed",',
  '    "description" : "Shelves have numbers",',
  '    "status"      : "completed"',
  "  }",
  "",
  "",
);

const inStep = json({
  id: "feature-1767950000005-instep000",
  title: "Label a shelf",
  description: "With its number.",
  status: "pipeline_step_docs",
  branchName: "feature/label",
  custom: { deep: { deeper: ["unknown", { keys: true }] } },
});

/** Reviewed by another tool that knows seed 000, with keys of its own at every level. */
const inReview = json({
  id: "feature-1767950000006-inreview0",
  title: "Search a book",
  description: "By title.",
  status: "code_review",
  codeReviewSpec: {
    status: "rejected",
    currentIteration: 1,
    maxIterations: 3,
    tool: "other",
    iterations: [
      {
        iterationNumber: 1,
        reviewedAt: "2026-01-09T14:22:00Z",
        reviewedByModel: "claude-opus-4-5-20251101",
        reviewedByProvider: "anthropic",
        status: "rejected",
        gitCommitHash: "a1b2c3d4",
        gitDiff: "--- a/x\n+++ b/x\n",
        findings: [{ category: "code", severity: "error", title: "t", description: "d", confidence: 0.9 }],
        overallSummary: "No.",
        rejectionReason: "Mend it.",
        reviewFile: "code-review-iteration-1.md",
        tokens: 1200,
      },
    ],
  },
});

const dependent = json({
  id: "feature-1767950000007-dependent",
  title: "Remind readers",
  description: "After four weeks.",
  status: "backlog",
  dependencies: ["feature-1767950000006-inreview0"],
});

/** Cut off by Automaker's own writing without a lock. */
export const DAMAGED = "feature-1767950000008-damaged00";
const damaged = `{\n  "id": "${DAMAGED}",\n  "description": "cut o`;

const step = (id: string, name: string, order: number) => ({
  id,
  name,
  order,
  instructions: `Do ${name}.`,
  colorClass: "bg-blue-500/20",
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
  retries: 2,
});

/** Everything below the top of a project that Automaker left in the middle of its work. */
export const PROJECT_FILES: Files = {
  [at(BACKLOG)]: backlog,
  [at(BACKLOG, "images/shelf.png")]: new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10, 0, 255]),
  [at(BACKLOG, "agent-output.md")]: "An earlier attempt.\r\n",
  [at(BACKLOG, "raw-output.jsonl")]: '{"type":"text"}\n',
  [at(IN_PROGRESS)]: inProgress,
  [at("feature-1767950000002-waiting00")]: waiting,
  [at("feature-1767950000003-verified0")]: verified,
  [at(IN_PROGRESS, "agent-output.md")]: "I read the lending rules.\n\n🔧 Tool: Edit\nInput: {",
  [at("feature-1767950000003-verified0", "agent-output.md")]: "I put it back.\n",
  [at("feature-1767950000004-completed")]: completed,
  [at("feature-1767950000005-instep000")]: inStep,
  [at("feature-1767950000006-inreview0")]: inReview,
  [at("feature-1767950000006-inreview0", "code-review-iteration-1.md")]: "# Code Review\r\n",
  [at("feature-1767950000007-dependent")]: dependent,
  [at(DAMAGED)]: damaged,
  ".automaker/pipeline.json": json({ version: 1, steps: [step("step_docs", "Docs", 1), step("step_lint", "Lint", 0)] }),
  ".automaker/categories.json": json(["Core", "Regal \u{1F4DA}"]),
  ".automaker/settings.json": `{"version":1,\t"theme":"dark","worktreePanelVisible":true,"board":{"cardOpacity":80.0},
  "promptCustomization": {"codeReview":{"reviewSystemPrompt":{"enabled":true,"value":"Mind the shelf."}},"agent":{"x":1}}}`,
  ".automaker/app_spec.txt": "<project>the library</project>\r\n",
  ".automaker/context/rules.md": "Names are nouns.\n",
  ".automaker/context/context-metadata.json": json({ files: { "rules.md": { description: "" } } }),
  ".automaker/worktrees/feature-label/worktree.json": json({
    branch: "feature/label",
    createdAt: "2026-01-09T12:00:00.000Z",
    pr: { number: 7, url: "u", title: "t", state: "open", createdAt: "2026-01-09T13:00:00.000Z", draft: true },
  }),
  ".automaker/memory/index.json": "[ ]",
};

/** The user's own files, in `{DATA_DIR}`. */
export const DATA_FILES: Files = {
  "settings.json": json({
    version: 4,
    theme: "nord",
    sidebarOpen: true,
    maxConcurrency: 5,
    useWorktrees: true,
    defaultSkipTests: true,
    phaseModels: { enhancementModel: { model: "sonnet" }, validationModel: { model: "opus", thinkingLevel: "low" } },
    keyboardShortcuts: { board: "K" },
    projects: [{ id: "p1", name: "library", path: "/projects/library", lastOpened: "2026-01-09T12:00:00.000Z" }],
    promptCustomization: { autoMode: { planningLite: { enabled: true, value: "Plan." } } },
    lastSelectedSessionByProject: {},
  }),
  "credentials.json": json({ version: 1, apiKeys: { anthropic: "" } }),
  ".api-key": "0123456789abcdef",
};
