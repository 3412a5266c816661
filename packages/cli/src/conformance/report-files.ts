import type { ConformanceCheck, ConformanceReport } from "@crosszone/contracts";
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

/** One test case of a report. */
interface JunitCase {
  readonly name: string;
  readonly classname: string;
  readonly outcome: "passed" | "failed" | "skipped";
  /** Milliseconds. */
  readonly durationMs: number;
  /** Why it failed or was skipped. */
  readonly message?: string;
  /** The text of a failure, or the output of a passed case. */
  readonly details?: string;
}

/** The test cases that were run together. */
interface JunitSuite {
  readonly name: string;
  readonly cases: readonly JunitCase[];
}

interface JunitReport {
  readonly name: string;
  readonly startedAt: Date;
  /** Milliseconds. */
  readonly durationMs: number;
  readonly suites: readonly JunitSuite[];
}

/** Returns a report in the JUnit format that CI services read. https://github.com/testmoapp/junitxml */
function junitXml({ name, startedAt, durationMs, suites }: JunitReport): string {
  const time = `time="${seconds(durationMs)}"`;
  const timestamp = `timestamp="${startedAt.toISOString().slice(0, 19)}"`;
  const inside = suites.map(
    (suite) =>
      `  <testsuite name="${attribute(suite.name)}" ${counts(suite.cases)} ${time} ${timestamp}>\n` +
      `${suite.cases.map(testCase).join("")}  </testsuite>\n`,
  );
  const all = counts(suites.flatMap(({ cases }) => cases));
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n` +
    `<testsuites name="${attribute(name)}" ${all} ${time}>\n${inside.join("")}</testsuites>\n`
  );
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(3);

function counts(cases: readonly JunitCase[]): string {
  const count = (wanted: JunitCase["outcome"]): number => cases.filter(({ outcome }) => outcome === wanted).length;
  return `tests="${cases.length}" failures="${count("failed")}" errors="0" skipped="${count("skipped")}"`;
}

function testCase({ name, classname, outcome, durationMs, message = "", details: said }: JunitCase): string {
  const start = `    <testcase classname="${attribute(classname)}" name="${attribute(name)}" time="${seconds(durationMs)}"`;
  if (outcome === "skipped") return `${start}><skipped message="${attribute(message)}"/></testcase>\n`;
  if (outcome === "failed")
    return `${start}><failure message="${attribute(message)}">${xml(said ?? "")}</failure></testcase>\n`;
  return said === undefined ? `${start}/>\n` : `${start}><system-out>${xml(said)}</system-out></testcase>\n`;
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Characters that XML 1.0 can't have at all, and lone surrogates. */
const impossible =
  // oxlint-disable-next-line no-control-regex -- control characters are what it finds
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Escapes text for an XML element or a quoted attribute. Characters that XML can't have become U+FFFD. */
function xml(text: string): string {
  return text.replaceAll(impossible, "\ufffd").replaceAll(/[&<>"]/g, (character) => entities[character] ?? "");
}

/** Escapes text for an attribute: line feeds and tabs stay. */
function attribute(text: string): string {
  return xml(text).replaceAll(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}
