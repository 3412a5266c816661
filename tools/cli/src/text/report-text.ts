import type { ConformanceCheck, ConformanceReport } from "@crosszone/contracts";
import { shortDuration, fit, harmless, harmlessLine } from "./terminal-text.ts";

interface ReportTextOptions {
  /** Also show the passed checks and each skipped one. */
  readonly verbose: boolean;
  /** Width of a shown body, columns. */
  readonly columns: number;
}

/** Returns a report as text: the failed checks first, then the warnings and hints, the skipped ones by reason, and the summary. */
export function reportText(report: ConformanceReport, options: ReportTextOptions): string {
  const { agent, url, checks, summary, duration_ms } = report;
  const of = (status: ConformanceCheck["status"], level?: ConformanceCheck["level"]): ConformanceCheck[] =>
    checks.filter((check) => check.status === status && (level === undefined || check.level === level));
  const failed = levels.flatMap((level) => of("failed", level)).map((check) => failureText(check, options));
  const passed = options.verbose ? of("passed").map((check) => `✓ ${nameOf(check)}\n`) : [];
  const skipped = options.verbose ? of("skipped").map(skippedText).join("") : reasonsText(of("skipped"));
  const { passed: good, failed: bad, warned, skipped: left } = summary;
  const hints = of("failed", "hint").length;
  const hinted = hints === 0 ? "" : `${countOf(hints, "hint")}, `;
  const counts = `${good} passed, ${bad} failed, ${warned} warned, ${hinted}${left} skipped`;
  return [
    `${harmlessLine([agent, url].filter(Boolean).join("  "))}  ${protocolNames(report)}\n`,
    ...failed,
    passed.join(""),
    skipped,
    `${report.compliant ? "Compliant" : "Not compliant"}: ${counts} in ${shortDuration(duration_ms)}.\n`,
  ]
    .filter(Boolean)
    .join("\n");
}

const levels = ["must", "should", "hint"] as const;
const signs: Readonly<Record<ConformanceCheck["level"], string>> = { must: "✗", should: "!", hint: "i" };

function failureText(check: ConformanceCheck, { columns }: ReportTextOptions): string {
  const { level, problem = "", rule, source, sent, received, fix } = check;
  const body = (text: string | undefined): string[] =>
    text === undefined ? [] : [`            ${fit(harmlessLine(text), columns - 12)}`];
  const came =
    received?.status === undefined ? "no response" : `HTTP ${received.status} ${received.content_type ?? ""}`;
  const lines = [
    `${signs[level]} ${nameOf(check)}`,
    `  Problem   ${harmless(problem)}`,
    `  Rule      ${rule}`,
    `  Source    ${source}`,
  ];
  if (sent) lines.push(`  Sent      ${harmlessLine(`${sent.method} ${sent.url}`)}`, ...body(sent.body));
  if (received) lines.push(`  Received  ${harmlessLine(came)}`, ...body(received.body));
  if (fix !== undefined) lines.push(`  Fix       ${fix}`);
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}

const nameOf = ({ id, protocol, title }: ConformanceCheck): string => `${id} (${protocolName(protocol)}): ${title}`;

const skippedText = (check: ConformanceCheck): string => `- ${nameOf(check)}\n  ${harmless(check.problem ?? "")}\n`;

/** The skipped checks by reason, those with the most first. Dependants of a failed check are left out: it is shown above. */
function reasonsText(skipped: readonly ConformanceCheck[]): string {
  const byReason = Map.groupBy(skipped, ({ problem = "" }) => problem);
  const reasons = [...byReason].filter(([reason]) => !reason.startsWith("Not checked, because"));
  return reasons
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([reason, checks]) => `- ${checks.length} skipped: ${harmless(reason)}\n`)
    .join("");
}

const names: Readonly<Record<string, string>> = {
  "a2a-1.0": "A2A 1.0",
  "jsonrpc-2.0": "A2A 0.3",
  "simple-a2a": "Simple A2A",
};

/** Returns the name of a protocol for people. */
export const protocolName = (protocol: string): string => names[protocol] ?? protocol;

const protocolNames = ({ protocols }: ConformanceReport): string =>
  protocols.length === 0 ? "no known protocol" : protocols.map(protocolName).join(", ");

const countOf = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;

/** Returns the result in a few words: `compliant`, `compliant, 2 warnings`, `3 failed` or `not finished`. */
function resultWords({ compliant, summary: { passed, failed, warned } }: ConformanceReport): string {
  if (!compliant) return failed > 0 ? `${failed} failed` : passed > 0 ? "not finished" : "not checked";
  return warned > 0 ? `compliant, ${countOf(warned, "warning")}` : "compliant";
}

/**
 * Returns a report as JUnit XML: one test suite a protocol, one test case a check. A failed `must` is a failure, a failed `should` or `hint` is
 * a passed case with the warning or hint in its output. https://github.com/testmoapp/junitxml
 */
export function junit({ checks, duration_ms, started_at }: ConformanceReport): string {
  const time = `time="${(duration_ms / 1_000).toFixed(3)}"`;
  const timestamp = `timestamp="${new Date(started_at).toISOString().slice(0, 19)}"`;
  const suites = [...Map.groupBy(checks, ({ protocol }) => protocol)].map(
    ([protocol, each]) =>
      `  <testsuite name="${attribute(protocolName(protocol))}" ${countsText(each)} ${time} ${timestamp}>\n` +
      `${each.map(testCase).join("")}  </testsuite>\n`,
  );
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n` +
    `<testsuites name="crosszone conformance" ${countsText(checks)} ${time}>\n${suites.join("")}</testsuites>\n`
  );
}

const isFailure = ({ status, level }: ConformanceCheck): boolean => status === "failed" && level === "must";

function countsText(checks: readonly ConformanceCheck[]): string {
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
    fix && `Fix: ${fix}`,
    sent && `Sent: ${sent.method} ${sent.url}`,
    sent?.body,
    received && `Received: ${received.status ?? "no response"} ${received.content_type ?? ""}`,
    received?.body,
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
