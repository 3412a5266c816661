import { styleText, type InspectColor } from "node:util";
import type { StepState } from "@crosszone/contracts";
import { columnsOf, fit } from "../output/fit.ts";
import { harmlessLine } from "../output/harmless.ts";
import { stepRest, type StepLine } from "./step-line.ts";

const looks: Readonly<Record<StepState, readonly [sign: string, style: InspectColor]>> = {
  pending: ["○", "dim"],
  running: ["◐", "cyan"],
  succeeded: ["✓", "green"],
  failed: ["✗", "red"],
  canceled: ["✗", "yellow"],
  skipped: ["–", "dim"],
};

const spinner = ["◐", "◓", "◑", "◒"];

export interface FrameOptions {
  readonly columns: number;
  readonly rows: number;
  /** Frame counter, for the spinner. */
  readonly turn: number;
}

/** Returns the steps as coloured lines that fit the terminal. If they do not all fit, shows the ones around the running step. */
export function frame(steps: readonly StepLine[], { columns, rows, turn }: FrameOptions): string {
  const { from, to } = visible(steps, rows);
  const shown = steps.slice(from, to).map((step) => drawn(step, columns, turn));
  const more = (count: number, where: string): string[] =>
    count === 0 ? [] : [styleText("dim", fit(`  … ${count} more ${where}`, columns), { validateStream: false })];
  return [...more(from, "above"), ...shown, ...more(steps.length - to, "below")].join("\n");
}

function drawn(step: StepLine, columns: number, turn: number): string {
  const [sign, style] = looks[step.state];
  const shownSign = step.state === "running" ? (spinner[turn % spinner.length] ?? sign) : sign;
  const paint = (look: InspectColor, text: string): string => styleText(look, text, { validateStream: false });
  const title = fit(`${"  ".repeat(step.depth)}${shownSign} ${harmlessLine(step.title)}`, columns);
  const rest = harmlessLine(stepRest(step, { withTime: true }));
  // Two columns of space.
  const left = columns - columnsOf(title) - 2;
  return paint(style, title) + (rest === "" || left < 4 ? "" : `  ${paint("dim", fit(rest, left))}`);
}

/** Selects the steps to draw: all, or as many as fit, including the first running one. */
function visible(steps: readonly StepLine[], rows: number): { readonly from: number; readonly to: number } {
  if (steps.length <= rows) return { from: 0, to: steps.length };
  // The lines above and below count the hidden steps.
  const room = Math.max(1, rows - 2);
  const running = steps.findIndex(({ state }) => state === "running");
  const last = steps.findLastIndex(({ state }) => state !== "pending");
  const middle = Math.max(0, running === -1 ? last : running);
  const from = Math.min(Math.max(0, middle - Math.floor(room / 3)), steps.length - room);
  return { from, to: from + room };
}
