import { fit } from "../../output/fit.ts";
import { harmless, harmlessLine } from "../../output/harmless.ts";
import { junitXml } from "../../output/junit.ts";
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

/** Returns the results of a run that ends now as JUnit XML. */
export function junitOf(results: readonly CaseResult[], durationMs: number): string {
  const cases = results.map(({ file, outcome, lines, duration_ms }) => ({
    name: file.cassette.name,
    classname: file.path,
    outcome,
    durationMs: duration_ms,
    message: lines[0],
    ...(outcome === "failed" && { details: lines.join("\n") }),
  }));
  const name = "crosszone agent test";
  const startedAt = new Date(Date.now() - durationMs);
  return junitXml({ name, startedAt, durationMs, suites: [{ name, cases }] });
}
