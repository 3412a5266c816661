import type { ConformanceCheck, ConformanceReport } from "@crosszone/contracts";
import { protocolName } from "./protocol-names.ts";
import { attribute, xml } from "./xml.ts";

/**
 * Returns a report in the JUnit format that CI services read: one test suite a protocol, one test case a check. A failed `must` is a
 * failure, a failed `should` is a passed case with the warning in its output.
 */
export function junit({ checks, duration_ms, started_at }: ConformanceReport): string {
  const seconds = (duration_ms / 1_000).toFixed(3);
  const suites = [...Map.groupBy(checks, ({ protocol }) => protocol)].map(
    ([protocol, each]) =>
      `  <testsuite name="${attribute(protocolName(protocol))}" ${counts(each)} time="${seconds}" ` +
      `timestamp="${started_at.replace(/(\.\d+)?Z$/, "")}">\n${each.map(testCase).join("")}  </testsuite>\n`,
  );
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n` +
    `<testsuites name="crosszone conformance" ${counts(checks)} time="${seconds}">\n${suites.join("")}</testsuites>\n`
  );
}

const isFailure = ({ status, level }: ConformanceCheck): boolean => status === "failed" && level === "must";

function counts(checks: readonly ConformanceCheck[]): string {
  const skipped = checks.filter(({ status }) => status === "skipped").length;
  const failures = checks.filter(isFailure).length;
  return `tests="${checks.length}" failures="${failures}" errors="0" skipped="${skipped}"`;
}

function testCase(check: ConformanceCheck): string {
  const { id, protocol, title, status, level, problem = "" } = check;
  const start = `    <testcase classname="${attribute(protocol)}" name="${attribute(`${id}: ${title}`)}" time="0"`;
  if (status === "passed") return `${start}/>\n`;
  const inner =
    status === "skipped"
      ? `<skipped message="${attribute(problem)}"/>`
      : level === "must"
        ? `<failure type="${level}" message="${attribute(problem)}">${xml(details(check))}</failure>`
        : `<system-out>${xml(`Warning: ${problem}\n${details(check)}`)}</system-out>`;
  return `${start}>${inner}</testcase>\n`;
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
