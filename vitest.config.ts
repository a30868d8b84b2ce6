import { defineConfig } from "vitest/config";

// Tests read the packages from source: nothing has to be built first. Only the suite `e2e` runs the compiled CLI.
const conditions = ["source", "node", "import", "module", "default"];
const resolution = { resolve: { conditions }, ssr: { resolve: { conditions, externalConditions: conditions } } };
const e2e = "apps/*/src/**/*.e2e.test.ts";

export default defineConfig({
  ...resolution,
  test: {
    projects: [
      {
        ...resolution,
        test: {
          name: "unit",
          include: ["libs/*/src/**/*.test.ts", "apps/*/src/**/*.test.ts", "scripts/**/*.test.ts"],
          exclude: [e2e],
          testTimeout: 60_000,
        },
      },
      { ...resolution, test: { name: "e2e", include: [e2e], testTimeout: 120_000 } },
    ],
  },
});
