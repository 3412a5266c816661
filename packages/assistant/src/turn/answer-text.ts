/** The growing answer. What `show` received is always the beginning of `text`. */
export interface AnswerText {
  readonly text: string;
  /** Starts another text of the same answer, after a blank line. */
  begin(): void;
  add(delta: string): void;
}

const betweenTexts = "\n\n";

/**
 * Creates an answer that continues `before`. Drops whitespace before the first word. Never splits a surrogate pair, so each piece is valid
 * text.
 */
export function createAnswerText(show: (delta: string) => void, before = ""): AnswerText {
  let text = before;
  if (before !== "") show(before);
  let pending = "";
  let isNew = false;
  return {
    get text() {
      return text;
    },
    begin: () => {
      pending = "";
      isNew = text !== "";
    },
    add: (delta) => {
      const whole = pending + delta;
      const isSplit = /[\ud800-\udbff]$/.test(whole);
      pending = isSplit ? whole.slice(-1) : "";
      const piece = (isSplit ? whole.slice(0, -1) : whole).toWellFormed();
      const shown = text === "" || isNew ? piece.trimStart() : piece;
      if (shown === "") return;
      const added = isNew ? betweenTexts + shown : shown;
      isNew = false;
      text += added;
      show(added);
    },
  };
}
