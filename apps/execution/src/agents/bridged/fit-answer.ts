/** The largest answer, in bytes of its JSON: verification reads 4 MiB, and there is more in a message than that. */
const mostBytes = 3_000_000;

/** A UTF-16 unit of text is written in so many bytes at the most, as `\\u0000`. */
const mostBytesOfUnit = 6;

/** Whether these values may be in an answer together. */
export function fitInAnswer(...values: readonly unknown[]): boolean {
  return values.reduce<number>((bytes, value) => bytes + jsonBytes(value), 0) <= mostBytes;
}

/** As much of a text as an answer holds, and what is to be said of the rest; nothing when there is none. */
export function fitText(text: string): { readonly kept: string; readonly note: string } {
  if (text.length * mostBytesOfUnit <= mostBytes) return { kept: text, note: "" };
  let kept = text;
  for (let bytes = jsonBytes(kept); bytes > mostBytes; bytes = jsonBytes(kept))
    kept = kept.slice(0, Math.floor((kept.length * mostBytes * 0.99) / bytes));
  return { kept: kept.toWellFormed(), note: kept === text ? "" : "\n\n(The answer is longer, and was cut here.)" };
}

const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? "");
