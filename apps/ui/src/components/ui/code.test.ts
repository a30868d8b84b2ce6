import { expect, test } from "vitest";
import { codeOf } from "./code.ts";

function flaky(failures: number) {
  let calls = 0;
  const load = async () => {
    calls += 1;
    if (calls <= failures) throw new TypeError("Failed to fetch dynamically imported module");
    return "part";
  };
  return { load, calls: () => calls };
}

test("code is fetched once, however many ask for it", async () => {
  const { load, calls } = flaky(0);
  const code = codeOf(load);
  await Promise.all([code.fetch(), code.fetch()]);
  await code.fetch();
  expect(calls()).toBe(1);
  expect(code.now()).toEqual({ loaded: "part", error: null, failures: 0 });
});

test("code that could not be fetched says so, and is fetched again when that is asked for", async () => {
  const { load } = flaky(2);
  const code = codeOf(load);
  let told = 0;
  code.subscribe(() => {
    told += 1;
  });
  await code.fetch();
  await code.fetch();
  expect(code.now()).toMatchObject({ loaded: null, failures: 2 });
  expect(code.now().error?.message).toBe("The server did not send this part of the page.");
  await code.fetch();
  expect(code.now()).toEqual({ loaded: "part", error: null, failures: 2 });
  expect(told).toBe(3);
});
