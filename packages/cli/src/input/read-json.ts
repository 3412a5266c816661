import { holdsInfinity, infinityAdvice } from "@crosszone/service-kit/holds-infinity";

/** The value of a JSON text, or why it is none. */
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
