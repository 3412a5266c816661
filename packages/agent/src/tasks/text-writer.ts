/** Pieces of an answer that come faster are sent together, milliseconds. */
const pauseMs = 20;
/** Characters of an event. */
const maxPiece = 65_536;

/** Puts small pieces of text together, so that a fast model doesn't cause an event for each token. */
export interface TextWriter {
  readonly write: (text: string) => void;
  /** Keeps a text until the next `flush`. */
  readonly hold: (text: string) => void;
  /** Sends what is waiting. */
  readonly flush: (isLast?: boolean) => void;
}

/** The first piece is sent at once, and the ones that follow it within 20 ms together. */
export function createTextWriter(send: (text: string, isLast: boolean) => void): TextWriter {
  let waiting = "";
  let timer: NodeJS.Timeout | undefined;
  const flush = (isLast = false): void => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting === "") return;
    const text = waiting;
    waiting = "";
    send(text, isLast);
  };
  const onPause = (): void => {
    timer = undefined;
    if (waiting !== "") begin();
  };
  const begin = (): void => {
    flush();
    timer = setTimeout(onPause, pauseMs);
  };
  const write = (text: string): void => {
    waiting += text;
    if (timer === undefined) begin();
    else if (waiting.length >= maxPiece) flush();
  };
  const hold = (text: string): void => void (waiting += text);
  return { write, hold, flush };
}
