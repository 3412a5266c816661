/** Accepts lines of text, each with its line break. */
export interface LineWriter {
  write(lines: string): void;
}

/**
 * Writes the lines of one turn of the event loop together: a system call costs as much as the rest of a line. Remaining lines are written
 * when the process exits. Only a process that is killed, or never finishes a turn, loses the lines of that turn. A line that the
 * destination refuses is lost.
 */
export function writePerTurn(destination: LineWriter): LineWriter {
  let waiting = "";
  const flush = (): void => {
    const lines = waiting;
    waiting = "";
    try {
      if (lines !== "") destination.write(lines);
    } catch {
      // The failure can't be logged.
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
