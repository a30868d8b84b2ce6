export { TRUST_VARIABLE } from "./consent.ts";
export { programText, shortHash } from "./named-program.ts";
export { type ShownProgram, shownPrograms } from "./shown.ts";
export { agree, consentFor, revoke } from "./store.ts";
