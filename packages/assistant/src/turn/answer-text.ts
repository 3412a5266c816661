/** The answer while it grows. What `show` received so far is always the beginning of `text`. */
export interface AnswerText {
  readonly text: string;
  /** Begins another text of the same answer, after a blank line. */
  begin(): void;
  add(delta: string): void;
}

const betweenTexts = "\n\n";

/** Drops blanks before the first word. Never splits a surrogate pair, so each piece is text of its own. */
export function createAnswerText(show: (delta: string) => void): AnswerText {
  let text = "";
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
