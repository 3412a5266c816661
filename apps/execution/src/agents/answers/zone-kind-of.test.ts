import { agentErrorTable, errorTable, type AgentErrorKind } from "@crosszone/contracts";
import { expect, test } from "vitest";
import { zoneKindOf } from "./result-answer.ts";

const agentKinds = Object.keys(agentErrorTable) as AgentErrorKind[];

test("E1: each failure of an agent has one kind on the zone link", () => {
  for (const kind of agentKinds) expect(Object.keys(errorTable)).toContain(zoneKindOf(kind));
});

test("a failure between zone and agent is never reported as an error of the zone's caller", () => {
  const told = new Set(agentKinds.map(zoneKindOf));
  for (const askers of ["unauthorized", "rate_limited", "invalid_params", "payload_too_large", "parse_error"] as const)
    expect(told).not.toContain(askers);
});

test("an unusable card or registration is agent_misconfigured, not agent_unavailable", () => {
  expect((["address_refused", "protocol_unsupported"] as const).map(zoneKindOf)).toEqual([
    "agent_misconfigured",
    "agent_misconfigured",
  ]);
});

test("an unavailable agent differs from a failed one, a broken protocol and a timeout", () => {
  expect(
    ["unreachable", "circuit_open", "task_failed", "not_json", "deadline_exceeded"].map((kind) =>
      zoneKindOf(kind as AgentErrorKind),
    ),
  ).toEqual(["agent_unavailable", "agent_unavailable", "agent_failed", "agent_invalid_response", "timeout"]);
});
