import { createLogUpdate } from "log-update";
import { harmlessLine } from "../output/harmless.ts";
import type { Output } from "../session.ts";
import type { Display, DisplayOptions } from "./display.ts";
import { frame } from "./frame.ts";

/** Time between two frames, milliseconds. */
const frameMs = 125;

/** Redraws the steps in place, eight times a second, until the run ends. */
export function createLiveDisplay(output: Output, { lines }: DisplayOptions): Display {
  const log = createLogUpdate(output);
  let turn = 0;
  const draw = (): void => {
    const { columns = 80, rows = 24 } = output;
    // The cursor is on its own line below.
    log(frame(lines(), { columns, rows: Math.max(1, rows - 1), turn }));
  };
  const timer = setInterval(() => {
    turn += 1;
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
