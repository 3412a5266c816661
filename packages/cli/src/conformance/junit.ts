import type { ConformanceCheck, ConformanceReport } from "@crosszone/contracts";
import { junitXml, type JunitCase } from "../output/junit.ts";
import { protocolName } from "./protocol-names.ts";

/**
 * Returns a report as JUnit XML: one test suite a protocol, one test case a check. A failed `must` is a failure, a failed `should` is a
 * passed case with the warning in its output.
 */
export function junit({ checks, duration_ms, started_at }: ConformanceReport): string {
  const suites = [...Map.groupBy(checks, ({ protocol }) => protocol)].map(([protocol, each]) => ({
    name: protocolName(protocol),
    cases: each.map(caseOf),
  }));
  return junitXml({ name: "crosszone conformance", startedAt: new Date(started_at), durationMs: duration_ms, suites });
}

function caseOf(check: ConformanceCheck): JunitCase {
  const { id, protocol, title, status, level, problem = "" } = check;
  const facts = { name: `${id}: ${title}`, classname: protocol, durationMs: 0 };
  if (status !== "failed") return { ...facts, outcome: status, message: problem };
  return level === "must"
    ? { ...facts, outcome: "failed", message: problem, details: details(check) }
    : { ...facts, outcome: "passed", details: `Warning: ${problem}\n${details(check)}` };
}

function details({ rule, source, mend, sent, received }: ConformanceCheck): string {
  const lines = [
    `Rule: ${rule}`,
    `Source: ${source}`,
    ...(mend === undefined ? [] : [`Mend: ${mend}`]),
    ...(sent ? [`Sent: ${sent.method} ${sent.url}`, sent.body ?? ""] : []),
    ...(received ? [`Received: ${received.status ?? "no response"} ${received.content_type ?? ""}`] : []),
    received?.body ?? "",
  ];
  return lines.filter(Boolean).join("\n");
}
