import { type InspectColor, styleText } from "node:util";
import type { RunState, StepState } from "@crosszone/contracts";
import { createLogUpdate } from "log-update";
import { canDraw, type Output, type Session } from "../program/session.ts";
import { columnsOf, fit, harmlessLine } from "../text/terminal-text.ts";
import { type StepLine, stepRest } from "./run-steps.ts";

/** Shows the progress of a run. */
export interface Display {
  /** The steps have changed. */
  readonly update: () => void;
  /** Prints a permanent line. */
  readonly say: (sentence: string) => void;
  /** The run has ended, or is no longer watched. */
  readonly end: () => void;
}

export interface DisplayOptions {
  /** Returns the current steps; called for each update. */
  readonly lines: () => readonly StepLine[];
}

/** Prints one line for each change of a step, for logs and screen readers. Omits pending steps and the elapsed time of running ones. */
export function createPlainDisplay(output: Output, { lines }: DisplayOptions): Display {
  const printed = new Map<string, string>();
  const write = (line: string): void => void output.write(`${harmlessLine(line)}\n`);

  function print(line: StepLine): void {
    const { id, state, done, title } = line;
    const change = `${state} ${done ?? ""}`;
    if (state === "pending" || printed.get(id) === change) return;
    printed.set(id, change);
    const rest = stepRest(line, { withTime: state !== "running" });
    write(`${state.padEnd(10)} ${"  ".repeat(line.depth)}${title}${rest === "" ? "" : ` (${rest})`}`);
  }

  return {
    update: () => lines().filter(isTimed).forEach(print),
    say: write,
    end: () => lines().forEach(print),
  };
}

/** The graph can be ahead of the events, which carry the times. An ended step is printed once its duration is known. */
const isTimed = ({ state, elapsedMs }: StepLine): boolean =>
  (state !== "succeeded" && state !== "failed") || elapsedMs !== undefined;

/** Time between two frames, milliseconds. */
const frameMs = 125;

/** Redraws the steps in place, eight times a second, until the run ends. */
export function createLiveDisplay(output: Output, { lines }: DisplayOptions): Display {
  const log = createLogUpdate(output);
  let frameCount = 0;
  const draw = (): void => {
    const { columns = 80, rows = 24 } = output;
    // The cursor is on its own line below.
    log(frame(lines(), { columns, rows: Math.max(1, rows - 1), frameCount }));
  };
  const timer = setInterval(() => {
    frameCount += 1;
    draw();
  }, frameMs);
  output.on("resize", draw);
  return {
    // The next frame shows it.
    update: () => undefined,
    say: (sentence) => log.persist(harmlessLine(sentence)),
    end: () => {
      clearInterval(timer);
      output.off("resize", draw);
      draw();
      log.done();
    },
  };
}

const looks: Readonly<Record<StepState | RunState, readonly [sign: string, style: InspectColor]>> = {
  pending: ["○", "dim"],
  running: ["◐", "cyan"],
  succeeded: ["✓", "green"],
  failed: ["✗", "red"],
  timed_out: ["✗", "red"],
  canceled: ["✗", "yellow"],
  skipped: ["–", "dim"],
};

/** Returns a function that colors a cell that is a state, on a terminal that shows colors. */
export const styled =
  (output: Output, env: Session["env"]) =>
  (cell: string): string => {
    const look = canDraw(output, env) ? Object.entries(looks).find(([state]) => state === cell.trim())?.[1] : undefined;
    return look === undefined ? cell : styleText(look[1], cell, { validateStream: false });
  };

const spinner = ["◐", "◓", "◑", "◒"];

interface FrameOptions {
  readonly columns: number;
  readonly rows: number;
  /** Frame counter, for the spinner. */
  readonly frameCount: number;
}

/** Returns the steps as colored lines that fit the terminal. If they do not all fit, shows the ones around the running step. */
export function frame(steps: readonly StepLine[], { columns, rows, frameCount }: FrameOptions): string {
  const { from, to } = visible(steps, rows);
  const shown = steps.slice(from, to).map((step) => drawn(step, columns, frameCount));
  const more = (count: number, where: string): string[] =>
    count === 0 ? [] : [styleText("dim", fit(`  … ${count} more ${where}`, columns), { validateStream: false })];
  return [...more(from, "above"), ...shown, ...more(steps.length - to, "below")].join("\n");
}

function drawn(step: StepLine, columns: number, frameCount: number): string {
  const [sign, style] = looks[step.state];
  const shownSign = step.state === "running" ? (spinner[frameCount % spinner.length] ?? sign) : sign;
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
