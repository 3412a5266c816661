import { expect, test } from "vitest";
import { createLookupCache } from "./slack-directory.ts";

const setUp = (
  load: (key: string) => Promise<string | undefined>,
): { find: (key: string) => Promise<string | undefined>; loads: string[]; clock: { now: number } } => {
  const loads: string[] = [];
  const clock = { now: 0 };
  const find = createLookupCache({
    load: (key) => {
      loads.push(key);
      return load(key);
    },
    foundMs: 300,
    missingMs: 60,
    timeoutMs: 30,
    most: 2,
    now: () => clock.now,
  });
  return { find, loads, clock };
};

test("a found value is loaded again after its time, a missing value after a shorter time", async () => {
  const { find, loads, clock } = setUp(async (key) => (key === "there" ? "found" : undefined));
  const both = async (): Promise<unknown[]> => [await find("there"), await find("gone")];
  expect([await both(), await both()]).toEqual([
    ["found", undefined],
    ["found", undefined],
  ]);
  clock.now = 60;
  await both();
  clock.now = 299;
  await both();
  clock.now = 300;
  await both();
  expect(loads).toEqual(["there", "gone", "gone", "gone", "there"]);
});

test("concurrent lookups share one load", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const { find, loads } = setUp(() => promise);
  const asked = Array.from({ length: 100 }, () => find("a"));
  resolve("x");
  expect(new Set(await Promise.all(asked))).toEqual(new Set(["x"]));
  expect(loads).toHaveLength(1);
});

test("a load that fails or hangs rejects all waiting lookups, and is not cached", async () => {
  let works = false;
  const { find } = setUp((key) => {
    if (works) return Promise.resolve("x");
    return key === "hangs" ? new Promise(() => undefined) : Promise.reject(new Error("no"));
  });
  await Promise.all([
    ...[find("fails"), find("fails")].map((one) => expect(one).rejects.toThrow("no")),
    ...[find("hangs"), find("hangs")].map((one) => expect(one).rejects.toThrow("not done within 30 ms")),
  ]);
  works = true;
  expect([await find("fails"), await find("hangs")]).toEqual(["x", "x"]);
});

test("a fixed number of values is cached, and the least recently used one is dropped", async () => {
  const { find, loads } = setUp(async (key) => key);
  for (const key of ["a", "b", "a", "c", "a", "b"]) await find(key);
  expect(loads).toEqual(["a", "b", "c", "b"]);
});
