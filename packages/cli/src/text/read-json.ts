import { holdsInfinity, infinityAdvice } from "@crosszone/service-kit/json";

/** The value of a JSON text, or the reason why it can't be parsed. */
export type ReadJson = { readonly value: unknown } | { readonly problem: string };

/** Never throws. */
export function readJson(text: string): ReadJson {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
    return holdsInfinity(value) ? { problem: `it ${infinityAdvice}` } : { value };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}
