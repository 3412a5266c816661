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

/**
 * Escapes characters that JSON leaves as they are but that end a line for some log readers, or move the cursor of a terminal: U+2028,
 * U+2029, DEL and the C1 control characters. https://www.rfc-editor.org/rfc/rfc8259#section-7
 */
export function escapeControls(line: string): string {
  // A text with as many bytes as characters is ASCII, as most lines are. It can only contain DEL, and a regular expression costs ten times
  // as much.
  if (Buffer.byteLength(line) === line.length && !line.includes("\u007f")) return line;
  return line.replaceAll(
    /[\u007f-\u009f\u2028\u2029]/g,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Returns the time as ISO 8601. Many lines share a millisecond, and formatting it is half the cost of a line. */
export function createIsoTime(): () => string {
  let at = 0;
  let text = "";
  return () => {
    const now = Date.now();
    if (now === at) return text;
    at = now;
    text = new Date(now).toISOString();
    return text;
  };
}
