import { cargo } from "./cargo.ts";
import { go } from "./go.ts";
import { jest } from "./jest.ts";
import { mocha } from "./mocha.ts";
import { nodeSpec } from "./node-spec.ts";
import { pytest } from "./pytest.ts";
import type { Runner } from "./runner.ts";
import { tap } from "./tap.ts";
import { unittest } from "./unittest.ts";
import { vitest } from "./vitest.ts";

/** All that are known. A line that could end the blocks of two runners ends that of the first one. */
export const runners: readonly Runner[] = [tap, nodeSpec, vitest, jest, mocha, pytest, unittest, cargo, go];
