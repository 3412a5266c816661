import * as fc from "fast-check";
import { expect, test } from "vitest";
import { correlationOfRequest } from "./request-headers.ts";

test.each([
  ["the header", { "x-correlation-id": "corr-1", baggage: "correlation_id=corr-2" }, "corr-1"],
  ["baggage", { baggage: "correlation_id=corr%2F2=" }, "corr/2="],
  ["baggage among other members", { baggage: "a=b;p=1, correlation_id = corr-2 ;ttl=3,c=d" }, "corr-2"],
  ["baggage, when the header is not valid", { "x-correlation-id": "é", baggage: "correlation_id=corr-2" }, "corr-2"],
])("L7: the correlation id is read from %s", (_name, headers, expected) => {
  expect(correlationOfRequest(headers, "request-1")).toBe(expected);
});

test.each([
  {},
  { baggage: "correlation_id=%ZZ" },
  { baggage: "correlation_id=a%0Ab" },
  { baggage: "x=correlation_id" },
])("the correlation id is the request id for %j", (headers) => {
  expect(correlationOfRequest(headers, "request-1")).toBe("request-1");
});

test("the id is valid for any baggage", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string().map((value) => `correlation_id=${value}`),
      ),
      (baggage) => {
        expect(correlationOfRequest({ baggage }, "request-1")).toMatch(/^[!-~]{1,128}$/);
      },
    ),
  );
});
