/** A fenced code block that is still open at a given point of a Markdown text. */
export interface Fence {
  /** The run of backticks or tildes that opened it. */
  readonly marker: string;
  /** The first word of its info string, usually a language. */
  readonly language: string;
}

/** Longer runs and names are decoration, not code blocks. Any indent matches, because lists can contain code. */
const opening = /^[ \t]*(`{3,40}(?!`)|~{3,40}(?!~))[ \t]*(\S{0,40})([^\n]*)$/;
const closing = /^[ \t]*(`{3,}|~{3,})[ \t]*$/;

/**
 * Returns the code block that is open after the last line of `text`, or undefined. `before` is the block open before `text`.
 * https://spec.commonmark.org/0.31.2/#fenced-code-blocks
 */
export function fenceAfter(text: string, before?: Fence): Fence | undefined {
  let open = before;
  for (const line of text.split(/\r?\n/)) open = open === undefined ? opened(line) : stillOpen(line, open);
  return open;
}

function opened(line: string): Fence | undefined {
  const [, marker, language = "", rest = ""] = opening.exec(line) ?? [];
  // The info string of a backtick fence has no backtick; such a line is inline code.
  if (marker === undefined || (marker.startsWith("`") && `${language}${rest}`.includes("`"))) return undefined;
  return { marker, language };
}

function stillOpen(line: string, open: Fence): Fence | undefined {
  const marker = closing.exec(line)?.[1] ?? "";
  return marker.startsWith(open.marker) ? undefined : open;
}
