import { exitCodes, type ExitCode } from "../../program/errors.ts";
import { writeReport } from "../../program/options.ts";
import type { Session } from "../../program/session.ts";
import { junitXml } from "../../text/junit.ts";
import { fit, harmless, harmlessJson, harmlessLine, table } from "../../text/terminal-text.ts";
import type { CaseResult } from "./run-cases.ts";

export interface ReportOptions {
  /** How the results are reported. */
  readonly request: {
    readonly record: boolean;
    readonly json: boolean;
    readonly junit?: string | undefined;
  };
  readonly session: Pick<Session, "stdout" | "stderr">;
  /** Milliseconds. */
  readonly durationMs: number;
}

/** Prints the results of a run and returns the exit code. Throws a `UsageError` when the JUnit file can't be written. */
export async function printResults(results: readonly CaseResult[], options: ReportOptions): Promise<ExitCode> {
  const { request, session, durationMs } = options;
  const { stdout, stderr } = session;
  const { passed, failed, skipped } = countsOf(results);
  const cases = results.map(({ file, outcome, lines, duration_ms, answer }) => ({
    name: file.cassette.name,
    path: file.path,
    outcome,
    duration_ms,
    lines,
    answer,
  }));
  if (request.json) stdout.write(`${harmlessJson({ passed, failed, skipped, duration_ms: durationMs, cases })}\n`);
  else stdout.write(reportText(results));
  if (request.junit !== undefined) await writeReport("--junit", request.junit, junitOf(results, durationMs));
  const word = request.record ? "recorded" : "passed";
  stderr.write(`${passed} ${word}, ${failed} failed, ${skipped} skipped in ${(durationMs / 1_000).toFixed(1)} s\n`);
  if (skipped > 0)
    stderr.write(
      "Rubrics were not judged: no language model is configured. Set CROSSZONE_JUDGE_MODEL and its key, or use --require-rubric to fail instead.\n",
    );
  return failed > 0 ? exitCodes.failed : exitCodes.done;
}

/** The numbers of a run. */
function countsOf(results: readonly CaseResult[]): Readonly<Record<CaseResult["outcome"], number>> {
  const count = (wanted: CaseResult["outcome"]): number => results.filter(({ outcome }) => outcome === wanted).length;
  return { passed: count("passed"), failed: count("failed"), skipped: count("skipped") };
}

const nameWidth = 40;

/** Returns a table of all cases, and below it why cases failed or were skipped. */
function reportText(results: readonly CaseResult[]): string {
  const rows = results.map(({ file, outcome, duration_ms }) => [
    fit(harmlessLine(file.cassette.name), nameWidth),
    outcome,
    `${duration_ms} ms`,
  ]);
  const details = results.filter(({ lines }) => lines.length > 0).map(caseText);
  return [table(["CASE", "RESULT", "TIME"], rows), ...details].join("\n");
}

const caseText = ({ file, outcome, lines }: CaseResult): string =>
  `${harmlessLine(file.cassette.name)} ${outcome} (${harmlessLine(file.path)})\n${lines.map((line) => `  ${harmless(line)}\n`).join("")}`;

/** Returns the results of a run that ends now as JUnit XML. */
function junitOf(results: readonly CaseResult[], durationMs: number): string {
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
