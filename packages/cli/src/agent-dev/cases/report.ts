import { fit } from "../../output/fit.ts";
import { harmless, harmlessLine } from "../../output/harmless.ts";
import { table } from "../../output/table.ts";
import type { CaseResult } from "./run-cases.ts";

/** The numbers of a run. */
export function countsOf(results: readonly CaseResult[]): Readonly<Record<CaseResult["outcome"], number>> {
  const count = (wanted: CaseResult["outcome"]): number => results.filter(({ outcome }) => outcome === wanted).length;
  return { passed: count("passed"), failed: count("failed"), skipped: count("skipped") };
}

const nameWidth = 40;

/** Returns a table of all cases, and below it why cases failed or were skipped. */
export function reportText(results: readonly CaseResult[]): string {
  const rows = results.map(({ file, outcome, duration_ms }) => [
    fit(harmlessLine(file.cassette.name), nameWidth),
    outcome,
    `${duration_ms} ms`,
  ]);
  const told = results.filter(({ lines }) => lines.length > 0).map(caseText);
  return [table(["CASE", "RESULT", "TIME"], rows), ...told].join("\n");
}

const caseText = ({ file, outcome, lines }: CaseResult): string =>
  `${harmlessLine(file.cassette.name)} ${outcome} (${harmlessLine(file.path)})\n${lines.map((line) => `  ${harmless(line)}\n`).join("")}`;

/** Returns the results as JUnit XML, which CI systems read. https://github.com/testmoapp/junitxml */
export function junitXml(results: readonly CaseResult[], durationMs: number): string {
  const { failed, skipped } = countsOf(results);
  const cases = results.map(({ file, outcome, lines, duration_ms }) => {
    const head = `    <testcase name="${escape(file.cassette.name)}" classname="${escape(file.path)}" time="${seconds(duration_ms)}"`;
    if (outcome === "passed") return `${head}/>`;
    const message = escape(lines[0] ?? "");
    return outcome === "skipped"
      ? `${head}><skipped message="${message}"/></testcase>`
      : `${head}><failure message="${message}">${escape(lines.join("\n"))}</failure></testcase>`;
  });
  const totals = `tests="${results.length}" failures="${failed}" skipped="${skipped}" time="${seconds(durationMs)}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites ${totals}>
  <testsuite name="crosszone agent test" ${totals}>
${cases.join("\n")}
  </testsuite>
</testsuites>
`;
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(3);

/** Control characters are not allowed in XML, even escaped. */
const escape = (text: string): string =>
  text
    // oxlint-disable-next-line no-control-regex -- XML can't hold them
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, "\ufffd")
    .replaceAll(/[<>&"']/g, (found) => `&#${found.charCodeAt(0)};`);
