import { expect, test } from "vitest";
import { repeatedNames } from "./check-names.ts";

const A = "libs/a/src/one.ts";
const B = "apps/b/src/two.tsx";
const repeated =
  "Step is exported by libs/a/src/one.ts, apps/b/src/two.tsx: rename all but one, or keep one type for all";

test.for([
  { name: "two interfaces", one: "export interface Step {", two: "export interface Step {", found: [repeated] },
  { name: "an interface and a type", one: "export interface Step {", two: "export type Step<T> =", found: [repeated] },
  {
    name: "a class and an enum",
    one: "export abstract class Step {",
    two: "export const enum Step {",
    found: [repeated],
  },
  { name: "different names", one: "export interface Step {", two: "export interface Stepper {", found: [] },
  { name: "a type that stays inside", one: "export interface Step {", two: "interface Step {", found: [] },
  { name: "a re-export", one: "export interface Step {", two: 'export { type Step } from "@x/a";', found: [] },
  { name: "a list of types", one: "export interface Step {", two: 'export type { Step } from "@x/a";', found: [] },
  { name: "an alias of the same type", one: "export interface Step {", two: "export type Step = a.Step;", found: [] },
  { name: "a function of that name", one: "export interface Step {", two: "export function Step() {", found: [] },
  {
    name: "a schema and its type",
    one: "export const Step = z.string();\nexport type Step = z.infer<typeof Step>;",
    two: "",
    found: [],
  },
])("$name", ({ one, two, found }) => {
  expect(
    repeatedNames([
      { path: A, text: one },
      { path: B, text: two },
    ]),
  ).toEqual(found);
});

test.for(["libs/a/src/testing/two.ts", "libs/a/src/two.test.ts"])("%s may repeat a name", (path) => {
  const text = "export interface Step {";
  expect(
    repeatedNames([
      { path: A, text },
      { path, text },
    ]),
  ).toEqual([]);
});
