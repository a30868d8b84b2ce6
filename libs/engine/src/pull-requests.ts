export { createFakeForge, type FakeForge, openFakeForge } from "@anneal/adapters/forges";
export { allowPush, connect, type ForgeConnection, mayPush, targetOf } from "./kinds/pull-request/pull-requests.ts";
