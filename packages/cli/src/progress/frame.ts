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
  /** Counts the frames: what runs is drawn turning. */
  readonly turn: number;
}

/** The steps as coloured lines that fit into a terminal. Where they do not all fit, those around what runs are shown. */
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
  // Two columns between them.
  const left = columns - columnsOf(title) - 2;
  return paint(style, title) + (rest === "" || left < 4 ? "" : `  ${paint("dim", fit(rest, left))}`);
}

/** Which of the steps to draw: all, or as many as there is room for, with the first that runs among them. */
function visible(steps: readonly StepLine[], rows: number): { readonly from: number; readonly to: number } {
  if (steps.length <= rows) return { from: 0, to: steps.length };
  // One line above and one below say how many there are more.
  const room = Math.max(1, rows - 2);
  const running = steps.findIndex(({ state }) => state === "running");
  const last = steps.findLastIndex(({ state }) => state !== "pending");
  const middle = Math.max(0, running === -1 ? last : running);
  const from = Math.min(Math.max(0, middle - Math.floor(room / 3)), steps.length - room);
  return { from, to: from + room };
}
