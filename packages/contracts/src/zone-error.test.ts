import { describe, expect, test } from "vitest";
import { errorTable, ZoneError, type ErrorKind } from "./index.ts";

describe.each(Object.keys(errorTable) as ErrorKind[])("a ZoneError of kind %s", (kind) => {
  test("has the fixed title as its message and is retryable as the catalog says", () => {
    const error = new ZoneError(kind);
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: "ZoneError", kind, data: {}, message: errorTable[kind].title });
    expect(error.retryable).toBe(errorTable[kind].retryable);
  });
});

test("a ZoneError carries its public data", () => {
  const data = { correlation_id: "c1", task_id: "t1", agent: "summarizer", retry_after_ms: 500, problems: [] };
  expect(new ZoneError("rate_limited", data).data).toEqual(data);
});

test("L5: the cause is kept for the log and is not serialized", () => {
  const cause = new Error("password=hunter2");
  const error = new ZoneError("internal", { correlation_id: "c1" }, { cause });
  expect(error.cause).toBe(cause);
  expect(JSON.stringify(error)).not.toContain("hunter2");
  expect(error.message).not.toContain("hunter2");
});

test("a ZoneError without a cause has none", () => {
  expect("cause" in new ZoneError("internal")).toBe(false);
});
