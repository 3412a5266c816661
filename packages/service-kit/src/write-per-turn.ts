/** Takes lines of text, each with its line break. */
export interface LineWriter {
  write(lines: string): void;
}

/**
 * Hands on the lines of one turn of the event loop together: a write to the operating system costs as much as all the rest of a line.
 * What is still here when the process exits is written then. Only a process that is killed, or that never finishes a turn, loses
 * what it said in that one turn. A line that its destination refuses is lost.
 */
export function writePerTurn(destination: LineWriter): LineWriter {
  let waiting = "";
  const flush = (): void => {
    const lines = waiting;
    waiting = "";
    try {
      if (lines !== "") destination.write(lines);
    } catch {
      // There is nowhere left to say so.
    }
  };
  process.on("exit", flush);
  return {
    write: (lines) => {
      if (waiting === "") setImmediate(flush);
      waiting += lines;
    },
  };
}
