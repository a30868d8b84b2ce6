export { builtinFixer } from "./fixer.ts";
export { builtinReviewer } from "./reviewer.ts";
export type { BuiltinRule } from "./rule.ts";
export { BUILTIN_RULES } from "./rules.ts";
