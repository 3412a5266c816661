import { z } from "zod";
import { errorWithMessages } from "./slack-error.ts";

/** Raw arguments: strings from a form or a query, any JSON value from a JSON body. */
export type RawArguments = Record<string, unknown>;

/** A boolean; forms send `true`, `false`, `1` or `0`. */
export const flag: z.ZodType<boolean> = z
  .union([z.boolean(), z.enum(["true", "false", "1", "0"])])
  .transform((value) => value === true || value === "true" || value === "1");

/** A whole number; forms send text. */
export const whole: z.ZodType<number> = z.coerce.number().int();

/** A structured argument: JSON text in a form, the value itself in a JSON body. Invalid JSON stays text. */
export function structured<T>(schema: z.ZodType<T>): z.ZodType<T> {
  return z.preprocess((value) => (typeof value === "string" ? parseJson(value) : value), schema);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Validates arguments. Empty strings and nulls count as absent. Throws `invalid_arguments` with every problem. */
export function checkArguments<T>(schema: z.ZodType<T>, raw: RawArguments): T {
  const present = Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== "" && value !== null));
  const result = schema.safeParse(present);
  if (result.success) return result.data;
  throw errorWithMessages(
    "invalid_arguments",
    result.error.issues.map(({ path, message }) =>
      path.length === 1 && !(String(path[0]) in present)
        ? `missing required field: ${String(path[0])}`
        : `${message} [json-pointer:/${path.join("/")}]`,
    ),
  );
}
