import type { ConformanceCheck, ConformanceReport } from "@crosszone/contracts";
import { protocolName, protocolNames, resultWords } from "./report-text.ts";

/**
 * Returns a report as JUnit XML: one test suite a protocol, one test case a check. A failed `must` is a failure, a failed `should` or `hint` is
 * a passed case with the warning or hint in its output. https://github.com/testmoapp/junitxml
 */
export function junit({ checks, duration_ms, started_at }: ConformanceReport): string {
  const time = `time="${(duration_ms / 1_000).toFixed(3)}"`;
  const timestamp = `timestamp="${new Date(started_at).toISOString().slice(0, 19)}"`;
  const suites = [...Map.groupBy(checks, ({ protocol }) => protocol)].map(
    ([protocol, each]) =>
      `  <testsuite name="${attribute(protocolName(protocol))}" ${counts(each)} ${time} ${timestamp}>\n` +
      `${each.map(testCase).join("")}  </testsuite>\n`,
  );
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n` +
    `<testsuites name="crosszone conformance" ${counts(checks)} ${time}>\n${suites.join("")}</testsuites>\n`
  );
}

const isFailure = ({ status, level }: ConformanceCheck): boolean => status === "failed" && level === "must";

function counts(checks: readonly ConformanceCheck[]): string {
  const skipped = checks.filter(({ status }) => status === "skipped").length;
  return `tests="${checks.length}" failures="${checks.filter(isFailure).length}" errors="0" skipped="${skipped}"`;
}

function testCase(check: ConformanceCheck): string {
  const { id, protocol, title, status, problem = "" } = check;
  const start = `    <testcase classname="${attribute(protocol)}" name="${attribute(`${id}: ${title}`)}" time="0.000"`;
  if (status === "passed") return `${start}/>\n`;
  if (status === "skipped") return `${start}><skipped message="${attribute(problem)}"/></testcase>\n`;
  if (isFailure(check))
    return `${start}><failure message="${attribute(problem)}">${xml(details(check))}</failure></testcase>\n`;
  return `${start}><system-out>${xml(`${check.level === "hint" ? "Hint" : "Warning"}: ${problem}\n${details(check)}`)}</system-out></testcase>\n`;
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
