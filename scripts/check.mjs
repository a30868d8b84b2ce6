// `npm run check`: the one gate before a commit.
import { install, tool } from "./bootstrap.mjs";
import { staticChecks } from "./static-checks.mjs";

install();
staticChecks();
tool("vitest", ["run", "--project", "unit", "--project", "pure"]);
