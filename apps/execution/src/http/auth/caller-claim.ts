import { z } from "zod";

/** A token claim that names the caller. An email counts only when the issuer marks it as verified. */
export interface CallerClaim {
  readonly claim: "sub" | "email" | "appid" | "azp" | "oid";
  readonly value: string;
}

/** Parses `email:name@example.com`. */
export const callerClaim: z.ZodType<CallerClaim, string> = z
  .string()
  .transform((text) => ({ claim: text.slice(0, text.indexOf(":")), value: text.slice(text.indexOf(":") + 1) }))
  .pipe(z.object({ claim: z.enum(["sub", "email", "appid", "azp", "oid"]), value: z.string().min(1) }))
  .describe("sub, email, appid, azp or oid, a colon, and the value of that claim");
