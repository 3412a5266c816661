import { expect, test } from "vitest";
import { healthText } from "./agents-test.ts";

const probe = { name: "a", status: "healthy", checked_at: "2026-11-21T06:00:00Z", duration_ms: 7 } as const;

test("the versions of A2A are named once each; the version of another binding is not a version of A2A", () => {
  const supportedInterfaces = [
    { protocolBinding: "JSONRPC", protocolVersion: "1.0" },
    { protocolBinding: "GRPC", protocolVersion: "1.0" },
    { protocolBinding: "https://crosszone.dev/bindings/zone-link", protocolVersion: "7.0.0" },
    null,
  ];
  const card = { name: "Zone", supportedInterfaces };
  expect(healthText({ ...probe, card })).toBe("It is healthy (7 ms).\nCard: Zone, A2A 1.0\n");
});
