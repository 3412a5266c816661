import type { ConformanceCheck, ConformanceReport } from "@crosszone/contracts";
import { attribute, type JunitCase, junitXml, xml } from "../text/junit.ts";
import { protocolName, protocolNames, resultWords } from "./report-text.ts";

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

function details({ rule, source, fix, sent, received }: ConformanceCheck): string {
  const lines = [
    `Rule: ${rule}`,
    `Source: ${source}`,
    ...(fix === undefined ? [] : [`Fix: ${fix}`]),
    ...(sent ? [`Sent: ${sent.method} ${sent.url}`, sent.body ?? ""] : []),
    ...(received ? [`Received: ${received.status ?? "no response"} ${received.content_type ?? ""}`] : []),
    received?.body ?? "",
  ];
  return lines.filter(Boolean).join("\n");
}

const height = 20;

/** Green with white text, amber with black text, red with white text: each at least 4.5 to 1. */
const colors = { good: ["#1a7f37", "#fff"], warned: ["#d4a72c", "#000"], bad: ["#b62324", "#fff"] } as const;

/** Width of a text in 11 px Verdana, about. */
const widthOf = (text: string): number => Math.round(text.length * 6.8) + 12;

/** Returns a picture (SVG) of the result for a README: the protocols and `compliant` or how many checks failed. */
export function badge(report: ConformanceReport): string {
  const [label, words] = [protocolNames(report), resultWords(report)];
  const [left, right] = [widthOf(label), widthOf(words)];
  const [fill, ink] = colors[!report.compliant ? "bad" : report.summary.warned > 0 ? "warned" : "good"];
  const text = (at: number, color: string, what: string): string =>
    `<text x="${at}" y="14" fill="${color}" text-anchor="middle">${xml(what)}</text>`;
  const whole = `${label}: ${words}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="${height}" role="img" aria-label="${attribute(whole)}">
  <title>${xml(whole)}</title>
  <rect width="${left}" height="${height}" fill="#444"/>
  <rect x="${left}" width="${right}" height="${height}" fill="${fill}"/>
  <g font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
    ${text(left / 2, "#fff", label)}
    ${text(left + right / 2, ink, words)}
  </g>
</svg>
`;
}
