import type { ConformanceCheck, ConformanceReport } from "@crosszone/contracts";
import { duration, fit, harmless, harmlessLine } from "../text/terminal-text.ts";

export interface ReportTextOptions {
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
  const passed = options.verbose
    ? of("passed")
        .map((check) => `✓ ${nameOf(check)}\n`)
        .join("")
    : "";
  const skipped = options.verbose ? of("skipped").map(skippedText).join("") : reasonsText(of("skipped"));
  const { passed: good, failed: bad, warned, skipped: left } = summary;
  const hints = of("failed", "hint").length;
  const hinted = hints === 0 ? "" : `${countOf(hints, "hint")}, `;
  const counts = `${good} passed, ${bad} failed, ${warned} warned, ${hinted}${left} skipped`;
  return [
    `${harmlessLine([agent, url].filter(Boolean).join("  "))}  ${protocolNames(report)}\n`,
    ...failed,
    passed,
    skipped,
    `${report.compliant ? "Compliant" : "Not compliant"}: ${counts} in ${duration(duration_ms)}.\n`,
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
    ...(sent ? [`  Sent      ${harmlessLine(`${sent.method} ${sent.url}`)}`, ...body(sent.body)] : []),
    ...(received ? [`  Received  ${harmlessLine(came)}`, ...body(received.body)] : []),
    ...(fix === undefined ? [] : [`  Fix       ${fix}`]),
  ];
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

/** Returns the names of the checked protocols. */
export const protocolNames = ({ protocols }: ConformanceReport): string =>
  protocols.length === 0 ? "no known protocol" : protocols.map(protocolName).join(", ");

const countOf = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;

/** Returns the result in a few words: `compliant`, `compliant, 2 warnings`, `3 failed` or `not finished`. */
export function resultWords({ compliant, summary: { passed, failed, warned } }: ConformanceReport): string {
  if (!compliant) return failed > 0 ? `${failed} failed` : passed > 0 ? "not finished" : "not checked";
  return warned > 0 ? `compliant, ${countOf(warned, "warning")}` : "compliant";
}
