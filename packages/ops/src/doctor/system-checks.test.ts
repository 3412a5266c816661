import { expect, test } from "vitest";
import type { Check, Finding } from "./checks.ts";
import {
  checkMemory,
  checkOpenFiles,
  checkTlsVerification,
  readSystemLimits,
  type SystemLimits,
} from "./system-checks.ts";

const gigabyte = 1024 ** 3;
const system: SystemLimits = { openFiles: 1_024, heap: gigabyte, memory: 2 * gigabyte, tlsVerification: true };
const run = (check: Check): Finding | Promise<Finding> => check.run(new AbortController().signal);

test("fewer open files than allowed connections", () => {
  expect(run(checkOpenFiles(system, { name: "MAX", value: 500 }))).toMatchObject({ status: "passed" });
  expect(run(checkOpenFiles(system, { name: "MAX", value: 1_000 }))).toMatchObject({
    status: "warned",
    todo: [expect.stringContaining("ulimit -n 1200")],
  });
  const { openFiles: _none, ...unlimited } = system;
  expect(run(checkOpenFiles(unlimited, { name: "MAX", value: 1_000_000 }))).toMatchObject({ status: "passed" });
});

test("a heap larger than the memory, and messages that fill the heap", () => {
  const small = { variables: ["A", "B"], bytes: 1_000 };
  expect(run(checkMemory(system, small))).toMatchObject({ status: "passed" });
  expect(run(checkMemory({ ...system, memory: gigabyte / 2 }, small))).toMatchObject({
    status: "failed",
    todo: ["Set NODE_OPTIONS=--max-old-space-size=384."],
  });
  expect(run(checkMemory(system, { variables: ["A", "B"], bytes: gigabyte }))).toMatchObject({ status: "warned" });
});

test("disabled certificate verification", () => {
  expect(run(checkTlsVerification(system))).toMatchObject({ status: "passed" });
  expect(run(checkTlsVerification({ ...system, tlsVerification: false }))).toMatchObject({ status: "failed" });
});

test("the limits of this process are readable", () => {
  const limits = readSystemLimits({ NODE_TLS_REJECT_UNAUTHORIZED: "0" });
  expect(limits.tlsVerification).toBe(false);
  expect(limits.heap).toBeGreaterThan(1_000_000);
  expect(limits.memory).toBeGreaterThan(1_000_000);
  expect(limits.openFiles ?? 1).toBeGreaterThan(0);
});
