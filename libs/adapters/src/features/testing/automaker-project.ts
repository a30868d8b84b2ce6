import type { TempFolder } from "../../../../system/src/testing/temp-folder.ts";

/** As Automaker writes JSON: two spaces, no newline at the end. */
const json = (value: unknown): string => JSON.stringify(value, null, 2);

/** A project as Automaker leaves it on disk, in the middle of its work; `project/` and the user's `data/`. */
export function writeAutomakerProject(folder: TempFolder): { root: string; dataDir: string; ids: string[] } {
  for (const [path, content] of Object.entries(FILES)) folder.write(path, content);
  return { root: folder.path("project"), dataDir: folder.path("data"), ids: Object.keys(FEATURES).sort() };
}

/** Features in flight, with keys that only Automaker knows. */
const FEATURES: Record<string, object> = {
  "feature-1767950000000-a1b2c3d4e": {
    id: "feature-1767950000000-a1b2c3d4e",
    category: "Core",
    title: "Sort the shelf",
    description: "Books stand by author, then by year.",
    status: "in_progress",
    priority: 2,
    imagePaths: [{ id: "img-1", path: "images/shelf.png", filename: "shelf.png", mimeType: "image/png" }],
    textFilePaths: [],
    steps: ["sort", "test"],
    thinkingLevel: "none",
    reasoningEffort: "medium",
    planningMode: "spec",
    requirePlanApproval: true,
    planSpec: { status: "approved", content: "1. sort\n2. test", version: 2, tasksTotal: 2, tasksCompleted: 1 },
    startedAt: "2026-01-09T14:00:00.000Z",
    titleGenerating: false,
    serial: 12_345,
  },
  "feature-1767950000001-b2c3d4e5f": {
    id: "feature-1767950000001-b2c3d4e5f",
    title: "Ä shelf with “quotes”",
    category: "Core",
    description: "",
    status: "waiting_approval",
    dependencies: ["feature-1767950000000-a1b2c3d4e"],
    branchName: null,
    skipTests: true,
    summary: "Done.",
    error: null,
    justFinishedAt: "2026-01-09T15:00:00.000Z",
    descriptionHistory: [{ description: "old", timestamp: "2026-01-08T10:00:00.000Z", source: "initial" }],
  },
  "feature-1767950000002-c3d4e5f6a": {
    id: "feature-1767950000002-c3d4e5f6a",
    title: "Lend a book",
    category: "Loans",
    description: "A reader may take three.",
    status: "pipeline_step_docs",
    model: "opus",
    branchName: "feature/lend",
    skipTests: false,
  },
};

const FILES: Record<string, string | Uint8Array> = {
  ...Object.fromEntries(
    Object.entries(FEATURES).map(([id, feature]) => [`project/.automaker/features/${id}/feature.json`, json(feature)]),
  ),
  "project/.automaker/features/feature-1767950000000-a1b2c3d4e/images/shelf.png": new Uint8Array([137, 80, 78, 71, 0]),
  "project/.automaker/features/feature-1767950000000-a1b2c3d4e/raw-output.jsonl": '{"type":"text"}\n',
  "project/.automaker/features/feature-1767950000000-a1b2c3d4e/agent-output.md": "I sorted the shelf.\n",
  "project/.automaker/pipeline.json": json({
    version: 1,
    steps: [
      {
        id: "step_docs",
        name: "Docs",
        order: 1,
        instructions: "Write them.",
        colorClass: "bg-blue-500/20",
        createdAt: "2026-01-01T00:00:00.000Z",
        updatedAt: "2026-01-01T00:00:00.000Z",
      },
      {
        id: "step_lint",
        name: "Lint",
        order: 0,
        instructions: "Run it.",
        colorClass: "bg-red-500/20",
        createdAt: "2026-01-01T00:00:00.000Z",
        updatedAt: "2026-01-01T00:00:00.000Z",
      },
    ],
  }),
  "project/.automaker/categories.json": json(["Core", "Loans"]),
  "project/.automaker/settings.json": json({
    version: 1,
    theme: "dark",
    worktreePanelVisible: true,
    board: { cardOpacity: 80 },
    promptCustomization: { codeReview: { reviewSystemPrompt: { enabled: true, value: "Mind the shelf." } } },
  }),
  "project/.automaker/app_spec.txt": "<project>the library</project>\n",
  "project/.automaker/context/rules.md": "Names are nouns.\n",
  "project/.automaker/worktrees/feature-lend/worktree.json": json({
    branch: "feature/lend",
    createdAt: "2026-01-09T12:00:00.000Z",
  }),
  "project/CLAUDE.md": "# The library\n",
  "data/settings.json": json({
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
  "data/credentials.json": json({ version: 1, apiKeys: { anthropic: "" } }),
};
