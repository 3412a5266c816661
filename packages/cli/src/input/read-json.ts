/** The value of a JSON text, or why it is none. */
export type ReadJson = { readonly value: unknown } | { readonly problem: string };

/** Never throws. */
export function readJson(text: string): ReadJson {
  try {
    return { value: JSON.parse(text.replace(/^\ufeff/, "")) as unknown };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}
