import { clearLine, createInterface, cursorTo } from "node:readline";
import type { Session } from "../../session.ts";

/** Where lines go while a person may be typing. */
export interface Terminal {
  readonly write: (line: string) => void;
  /** Calls `onLine` for each line that is typed, one after the other; resolves at Ctrl-C or Ctrl-D. */
  readonly read: (onLine: (line: string) => Promise<void>) => Promise<void>;
}

/** Returns a terminal with a prompt that lines are written above. */
export function openTerminal({ stdin, stdout }: Session): Terminal {
  let redraw: (() => void) | undefined;
  return {
    write: (line) => {
      if (redraw !== undefined) {
        cursorTo(stdout, 0);
        clearLine(stdout, 0);
      }
      stdout.write(`${line}\n`);
      redraw?.();
    },
    read: async (onLine) => {
      const lines = createInterface({ input: stdin as unknown as NodeJS.ReadableStream, output: stdout, prompt: "> " });
      redraw = () => lines.prompt(true);
      const { promise, resolve } = Promise.withResolvers<undefined>();
      let last = Promise.resolve();
      lines.on("line", (line) => {
        last = last.then(() => onLine(line)).then(() => lines.prompt());
      });
      lines.once("SIGINT", () => resolve(undefined)).once("close", () => resolve(undefined));
      lines.prompt();
      await promise;
      redraw = undefined;
      lines.close();
      stdout.write("\n");
    },
  };
}
