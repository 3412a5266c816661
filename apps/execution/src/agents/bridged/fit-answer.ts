/**
 * The largest answer, bytes of JSON. Verification accepts messages of 4 MiB, and a message contains more than the
 * answer.
 */
const mostBytes = 3_000_000;

/** The most bytes that JSON needs for a UTF-16 unit, as in `\\u0000`. */
const mostBytesOfUnit = 6;

/** Whether these values fit into an answer together. */
export function fitInAnswer(...values: readonly unknown[]): boolean {
  return values.reduce<number>((bytes, value) => bytes + jsonBytes(value), 0) <= mostBytes;
}

/** Shortens a text to an answer's size. `note` says that it was shortened; empty when it was not. */
export function fitText(text: string): { readonly kept: string; readonly note: string } {
  if (text.length * mostBytesOfUnit <= mostBytes) return { kept: text, note: "" };
  let kept = text;
  for (let bytes = jsonBytes(kept); bytes > mostBytes; bytes = jsonBytes(kept))
    kept = kept.slice(0, Math.floor((kept.length * mostBytes * 0.99) / bytes));
  return {
    kept: kept.toWellFormed(),
    note: kept === text ? "" : "\n\n(The answer was longer and has been shortened.)",
  };
}

const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? "");
