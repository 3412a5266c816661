/** A fenced code block that is open at some point of a Markdown text. */
export interface Fence {
  /** The run of backticks or tildes that opened it. */
  readonly marker: string;
  /** The first word of its info string, mostly a language. */
  readonly language: string;
}

/** Longer runs and names are decoration, not code blocks; they are not carried over a cut. Any indent: lists hold code too. */
const opening = /^[ \t]*(`{3,40}(?!`)|~{3,40}(?!~))[ \t]*(\S{0,40})([^\n]*)$/;
const closing = /^[ \t]*(`{3,}|~{3,})[ \t]*$/;

/**
 * Tells which code block is open after the last line of `text`, given the one that was open before it.
 * https://spec.commonmark.org/0.31.2/#fenced-code-blocks
 */
export function fenceAfter(text: string, before?: Fence): Fence | undefined {
  let open = before;
  for (const line of text.split(/\r?\n/)) open = open === undefined ? opened(line) : stillOpen(line, open);
  return open;
}

function opened(line: string): Fence | undefined {
  const [, marker, language = "", rest = ""] = opening.exec(line) ?? [];
  // The info string of a backtick fence holds no backtick: such a line is inline code.
  if (marker === undefined || (marker.startsWith("`") && `${language}${rest}`.includes("`"))) return undefined;
  return { marker, language };
}

function stillOpen(line: string, open: Fence): Fence | undefined {
  const marker = closing.exec(line)?.[1] ?? "";
  return marker.startsWith(open.marker) ? undefined : open;
}
