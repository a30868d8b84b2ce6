export { createFakeForge, type FakeForge, openFakeForge } from "@anneal/adapters/forges";
export { allowPush, connect, type ForgePlace, mayPush } from "./project/pull-requests.ts";
