import { createLogUpdate } from "log-update";
import { harmlessLine } from "../output/harmless.ts";
import type { Output } from "../session.ts";
import type { Display, DisplayOptions } from "./display.ts";
import { frame } from "./frame.ts";

/** Between two frames, milliseconds. */
const frameMs = 125;

/** Draws the steps over themselves, eight times a second, as long as the run goes on. */
export function createLiveDisplay(output: Output, { lines }: DisplayOptions): Display {
  const log = createLogUpdate(output);
  let turn = 0;
  const draw = (): void => {
    const { columns = 80, rows = 24 } = output;
    // The cursor stands in a line of its own below.
    log(frame(lines(), { columns, rows: Math.max(1, rows - 1), turn }));
  };
  const timer = setInterval(() => {
    turn += 1;
    draw();
  }, frameMs);
  output.on("resize", draw);
  return {
    // The next frame has it: changes come faster than eyes follow.
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
