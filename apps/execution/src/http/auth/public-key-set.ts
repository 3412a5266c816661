import type { JSONWebKeySet } from "jose";
import { z } from "zod";

/** A key set as JSON text: public keys only, or whoever reads the configuration could sign. */
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
        .array(z.looseObject({ kty: z.enum(["RSA", "EC", "OKP"]), d: z.undefined("it has a private key").optional() }))
        .min(1),
    }),
  )
  .transform((set) => set as unknown as JSONWebKeySet)
  .describe('public keys as a JSON Web Key Set, {"keys":[…]}');
