import { expect, test } from "vitest";
import { ownAddress } from "./own-address.ts";

test.for([
  { address: "/p/x/review/f1?tab=diff&file=a.js#l1", leads: "/p/x/review/f1?tab=diff&file=a.js#l1" },
  { address: "/", leads: "/" },
  { address: "//evil.example/p/x", leads: null },
  { address: "/\\evil.example", leads: null },
  { address: "/\t/evil.example", leads: null },
  { address: "https://evil.example/p/x", leads: null },
  { address: "javascript:alert(1)", leads: null },
  { address: "p/x", leads: null },
  { address: "", leads: null },
])("$address leads to $leads", ({ address, leads }) => {
  expect(ownAddress(address, "http://127.0.0.1:7070")).toBe(leads);
});
