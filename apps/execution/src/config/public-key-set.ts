import type { JSONWebKeySet } from "jose";
import { z } from "zod";
import type { CallerClaim } from "../http/auth/jwt-auth.ts";

/**
 * Parses a key set from JSON text. Rejects private keys: anyone who can read the configuration could sign with them.
 */
export const publicKeySet: z.ZodType<JSONWebKeySet, string> = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue("it is not JSON");
      return z.NEVER;
    }
  })
  .pipe(
    z.object({
      keys: z
        .array(
          z.looseObject({ kty: z.enum(["RSA", "EC", "OKP"]), d: z.undefined("it contains a private key").optional() }),
        )
        .min(1),
    }),
  )
  .transform((set) => set as unknown as JSONWebKeySet)
  .describe('public keys as a JSON Web Key Set, {"keys":[…]}');

/** Parses `email:name@example.com`. */
export const callerClaim: z.ZodType<CallerClaim, string> = z
  .string()
  .transform((text) => ({ claim: text.slice(0, text.indexOf(":")), value: text.slice(text.indexOf(":") + 1) }))
  .pipe(z.object({ claim: z.enum(["sub", "email", "appid", "azp", "oid"]), value: z.string().min(1) }))
  .describe("sub, email, appid, azp or oid, a colon, and the value of that claim");
