import { harmlessLine } from "../output/harmless.ts";
import type { Output } from "../session.ts";
import type { Display, DisplayOptions } from "./display.ts";
import { stepRest, type StepLine } from "./step-line.ts";

/** Prints one line for each change of a step, for logs and screen readers. Omits pending steps and the elapsed time of running ones. */
export function createPlainDisplay(output: Output, { lines }: DisplayOptions): Display {
  const told = new Map<string, string>();
  const write = (line: string): void => void output.write(`${harmlessLine(line)}\n`);

  function tell(line: StepLine): void {
    const { id, state, done, title } = line;
    const change = `${state} ${done ?? ""}`;
    if (state === "pending" || told.get(id) === change) return;
    told.set(id, change);
    const rest = stepRest(line, { withTime: state !== "running" });
    write(`${state.padEnd(10)} ${"  ".repeat(line.depth)}${title}${rest === "" ? "" : ` (${rest})`}`);
  }

  return {
    update: () => lines().filter(isTimed).forEach(tell),
    say: write,
    end: () => lines().forEach(tell),
  };
}

/** The graph can be ahead of the events, which carry the times. An ended step is printed once its duration is known. */
const isTimed = ({ state, elapsedMs }: StepLine): boolean =>
  (state !== "succeeded" && state !== "failed") || elapsedMs !== undefined;
