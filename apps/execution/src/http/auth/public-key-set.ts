import type { JSONWebKeySet } from "jose";
import { z } from "zod";

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
