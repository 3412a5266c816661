import { styleText } from "node:util";
import type { Environment } from "@crosszone/service-kit";
import type { CheckResult, FindingStatus } from "./checks.ts";

/** The results of one zone. */
export interface Section {
  readonly title: string;
  readonly checks: readonly CheckResult[];
}

/** Streams of the report. */
export interface DoctorOutput {
  readonly write: (text: string) => void;
  readonly complain: (text: string) => void;
  /** Whether to show progress and colors. */
  readonly isTerminal: boolean;
  readonly colors: boolean;
}

const marks = { passed: "✓", warned: "!", failed: "✗", skipped: "–" } satisfies Record<FindingStatus, string>;
const colors = { passed: "green", warned: "yellow", failed: "red", skipped: "dim" } as const;

/** Width of the name column: that of the longest name plus two. */
const nameWidth = 23;

/** Returns the lines of one result: mark, name and finding, then what to do. */
export function resultLines({ name, status, says, todo }: CheckResult, colored: boolean): string {
  const paint = (format: "green" | "yellow" | "red" | "dim", shown: string): string =>
    colored ? styleText(format, shown, { validateStream: false }) : shown;
  const first = `  ${paint(colors[status], marks[status])} ${name.padEnd(nameWidth)}`;
  const text = status === "skipped" ? paint("dim", says) : says;
  return [`${first}${text}`, ...todo.map((step) => `${" ".repeat(nameWidth + 4)}→ ${step}`), ""].join("\n");
}

/** Returns the last line: the number of results by status, and the verdict. */
export function summaryLine(sections: readonly Section[]): string {
  const all = sections.flatMap(({ checks }) => checks);
  const count = (status: FindingStatus): number => all.filter((check) => check.status === status).length;
  const counts = `${count("passed")} passed, ${count("warned")} warnings, ${count("failed")} failed, ${count("skipped")} skipped`;
  return `${count("failed") === 0 ? "No problems found" : "Problems found"}: ${counts}.\n`;
}

/** Returns the report as JSON. */
export function reportJson(sections: readonly Section[]): string {
  const ok = sections.every(({ checks }) => checks.every(({ status }) => status !== "failed"));
  return `${JSON.stringify({ ok, sections }, undefined, 2)}\n`;
}

interface Stream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
}

/** Returns the output streams of a process. Uses colors on a terminal, unless NO_COLOR is set. https://no-color.org */
export function processOutput(
  { stdout, stderr }: { readonly stdout: Stream; readonly stderr: Stream },
  env: Environment,
): DoctorOutput {
  const isTerminal = stdout.isTTY === true;
  return {
    write: (text) => void stdout.write(text),
    complain: (text) => void stderr.write(text),
    isTerminal,
    colors: isTerminal && !env["NO_COLOR"],
  };
}
