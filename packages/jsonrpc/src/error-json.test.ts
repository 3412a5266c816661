import * as fc from "fast-check";
import {
  type ErrorKind,
  errorTable,
  isJsonRpcError,
  isZoneErrorData,
  ZoneError,
  type ZoneErrorDetail,
} from "@crosszone/contracts";
import { describe, expect, test } from "vitest";
import { errorFromJson, errorToJson, LinkError } from "./error-json.ts";

const kinds = Object.keys(errorTable) as ErrorKind[];
const detail = {
  task_id: "t1",
  agent: "echo",
  retry_after_ms: 50,
  problems: [{ pointer: "/channel", message: "is missing" }],
  progress: { revision: 3, steps: [{ id: "seal", title: "Seal", state: "failed" as const, depth: 0 }] },
  failed_run: { workflow: "publish", step: "Seal", reason: "agent_failed" as const },
  agent_says: "The archive is closed.",
  owner_detail: "The agent answered with HTTP 404.",
} satisfies Required<Omit<ZoneErrorDetail, "correlation_id">>;

describe.each(kinds)("%s", (kind) => {
  test("E1: an error is sent with its code, title and data", () => {
    const json = errorToJson(new ZoneError(kind, detail, { cause: "secret" }), "c1");
    const { code, title, retryable } = errorTable[kind];
    expect(json).toEqual({ code, message: title, data: { kind, retryable, correlation_id: "c1", ...detail } });
    expect(json).toSatisfy(isJsonRpcError);
    expect(json.data).toSatisfy(isZoneErrorData);
  });

  test("E1, E4: an error is received as the same kind with the same data", () => {
    const error = errorFromJson(JSON.parse(JSON.stringify(errorToJson(new ZoneError(kind, detail), "c1"))));
    expect(error).toBeInstanceOf(ZoneError);
    expect(error).toMatchObject({
      kind,
      data: { ...detail, correlation_id: "c1" },
      retryable: errorTable[kind].retryable,
    });
  });

  test("E1: an error without data is recognized if no other kind has its code", () => {
    const { code } = errorTable[kind];
    const shared = kinds.filter((other) => errorTable[other].code === code).length > 1;
    expect(errorFromJson({ code, message: "x" })).toMatchObject(
      shared ? { kind: "server_error", code } : { kind, data: {} },
    );
  });
});

test("an error's own correlation id takes precedence over the call's", () => {
  const json = errorToJson(new ZoneError("canceled", { correlation_id: "own" }), "c1");
  expect(json.data).toMatchObject({ correlation_id: "own" });
});

test("L5: any other exception becomes internal with a fixed text", () => {
  const error = Object.assign(new Error("secret"), { kind: "canceled", data: { agent: "secret" } });
  const data = { kind: "internal", retryable: false, correlation_id: "c1" };
  expect(errorToJson(error, "c1")).toEqual({ code: -32603, message: "Internal error", data });
});

test("E2: a kind that does not match the code is ignored", () => {
  const data = { kind: "canceled", retryable: false, correlation_id: "c1" };
  expect(errorFromJson({ code: -32013, message: "x", data })).toMatchObject({ kind: "rate_limited" });
  expect(errorFromJson({ code: -32000, message: "x", data })).toMatchObject({ kind: "server_error", code: -32000 });
});

test("E4: an unknown code is a server error with code and message, retryable only if the server says so", () => {
  const error = errorFromJson({ code: -32050, message: "no disk", data: { kind: "disk", retryable: true } });
  expect(error).toBeInstanceOf(LinkError);
  expect(error).toMatchObject({ kind: "server_error", code: -32050, message: "no disk", retryable: true });
  for (const data of [undefined, null, { retryable: "true" }, [true], JSON.parse(`{"__proto__":{"retryable":true}}`)])
    expect(errorFromJson({ code: 1, message: "x", data })).toMatchObject({ kind: "server_error", retryable: false });
});

test("E4: error data that violates the contract is dropped", () => {
  const data = { kind: "task_not_found", retryable: false, correlation_id: "c1", task_id: 7 };
  const error = errorFromJson({ code: -32000, message: "x", data }) as ZoneError;
  expect([error.kind, error.data]).toEqual(["task_not_found", {}]);
  const extra = { ...data, task_id: "t1", stack: "at main" };
  expect(errorFromJson({ code: -32000, message: "x", data: extra })).toMatchObject({
    data: { correlation_id: "c1", task_id: "t1" },
  });
  expect((errorFromJson({ code: -32000, message: "x", data: extra }) as ZoneError).data).not.toHaveProperty("stack");
});

test("any error object becomes an error", () => {
  const code = fc.oneof(fc.integer(), fc.constantFrom(...kinds.map((kind) => errorTable[kind].code)));
  const data = fc.oneof(
    fc.jsonValue(),
    fc.record({ kind: fc.constantFrom(...kinds, "toString"), retryable: fc.boolean() }),
  );
  fc.assert(
    fc.property(code, fc.string(), data, (number, message, value) => {
      expect(errorFromJson({ code: number, message, data: value })).toBeInstanceOf(Error);
    }),
  );
});
