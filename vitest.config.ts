import { defineConfig } from "vitest/config";

// Tests read the packages from source: nothing has to be built first.
const conditions = ["source", "node", "import", "module", "default"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ["libs/*/src/**/*.test.ts", "apps/*/src/**/*.test.ts", "scripts/**/*.test.ts"],
    pool: "threads",
    testTimeout: 30_000,
  },
});
