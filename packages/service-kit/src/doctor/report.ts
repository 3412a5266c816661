import { styleText } from "node:util";
import type { FindingStatus } from "./check.ts";
import type { CheckResult } from "./run-checks.ts";

/** What was found in one zone. */
export interface Section {
  readonly title: string;
  readonly checks: readonly CheckResult[];
}

const marks = { passed: "✓", warned: "!", failed: "✗", skipped: "–" } satisfies Record<FindingStatus, string>;
const colours = { passed: "green", warned: "yellow", failed: "red", skipped: "dim" } as const;

/** Width of the column of names: that of the longest one, two more. */
const nameWidth = 23;

/** The lines of one result: a mark, the name, what is so; below, what to do. */
export function resultLines({ name, status, says, todo }: CheckResult, coloured: boolean): string {
  const paint = (format: "green" | "yellow" | "red" | "dim", text: string): string =>
    coloured ? styleText(format, text, { validateStream: false }) : text;
  const first = `  ${paint(colours[status], marks[status])} ${name.padEnd(nameWidth)}`;
  const told = status === "skipped" ? paint("dim", says) : says;
  return [`${first}${told}`, ...todo.map((step) => `${" ".repeat(nameWidth + 4)}→ ${step}`), ""].join("\n");
}

/** The last line: how many of each, and what that means. */
export function summaryLine(sections: readonly Section[]): string {
  const all = sections.flatMap(({ checks }) => checks);
  const count = (status: FindingStatus): number => all.filter((check) => check.status === status).length;
  const counts = `${count("passed")} right, ${count("warned")} to look at, ${count("failed")} wrong, ${count("skipped")} skipped`;
  return `${count("failed") === 0 ? "Nothing is wrong" : "Something is wrong"}: ${counts}.\n`;
}

/** The same for a program to read. */
export function reportJson(sections: readonly Section[]): string {
  const ok = sections.every(({ checks }) => checks.every(({ status }) => status !== "failed"));
  return `${JSON.stringify({ ok, sections }, undefined, 2)}\n`;
}
