import { describe, expect, test } from "vitest";
import { errorTable, ZoneError, type ErrorKind } from "./index.ts";

describe.each(Object.keys(errorTable) as ErrorKind[])("a ZoneError of kind %s", (kind) => {
  test("has the fixed title as its message and is retryable as the catalog says", () => {
    const error = new ZoneError(kind);
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: "ZoneError", kind, data: {}, message: errorTable[kind].title });
    expect(error).not.toHaveProperty("cause");
    expect(error.retryable).toBe(errorTable[kind].retryable);
  });
});

test("L5: the public data is carried; the cause is kept for the log and is not serialized", () => {
  const cause = new Error("password=hunter2");
  const error = new ZoneError("internal", { correlation_id: "c1" }, { cause });
  expect(error.data).toEqual({ correlation_id: "c1" });
  expect(error.cause).toBe(cause);
  expect(JSON.stringify(error)).not.toContain("hunter2");
  expect(error.message).not.toContain("hunter2");
});
