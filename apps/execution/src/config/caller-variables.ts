import { filePath, groupOf, list, oneOf, secret, url, variable } from "@crosszone/service-kit";
import type { JSONWebKeySet } from "jose";
import { z } from "zod";

/** Parses a key set from JSON text. Rejects private keys, because readers of the configuration could sign with them. */
const publicKeySet: z.ZodType<JSONWebKeySet, string> = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue("it is neither a URL nor JSON");
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
  .describe('an https: URL, or public keys as a JSON Web Key Set, {"keys":[…]}');

const keys = z.union([
  z
    .string()
    .regex(/^https?:/)
    .pipe(url()),
  publicKeySet,
]);

/** How CALLER_ALLOWED names a caller, by CALLER_AUTH. */
export const callerNames = {
  jwt: { pattern: /^(sub|email|appid|azp|oid):./, words: "sub:…, email:…, appid:…, azp:… or oid:…" },
  mtls: { pattern: /^(CN=|(DNS|URI|email|IP Address):)./, words: "CN=…, DNS:…, URI:…, email:… or IP Address:…" },
} as const;

/** Which callers execution accepts, how they authenticate, and how the zone serves HTTPS. */
export const callerVariables = {
  ...groupOf("Authenticate callers", {
    CALLER_AUTH: variable(oneOf(["none", "bearer", "jwt", "hmac", "mtls", "platform"]).optional())`
      How callers authenticate. platform trusts the host of HOST_PROFILE. If unset: bearer with EXECUTION_TOKEN,
      otherwise none, only for this machine.`,
    EXECUTION_TOKEN: variable(list(secret(32)).optional(), { secret: true })`
      Token that verification sends, or with CALLER_AUTH=hmac signs requests with. List two while you replace one.`,
    CALLER_JWT_ISSUER: variable(list(url()).optional(), { example: "https://accounts.google.com" })`
      Issuers whose tokens execution accepts: the iss claim.`,
    CALLER_JWT_AUDIENCE: variable(list().optional(), { example: "https://execution.example.com" })`
      Audiences that execution accepts: the aud claim. Usually the URL or ID of this zone.`,
    CALLER_JWT_JWKS: variable(keys.optional(), { example: "https://www.googleapis.com/oauth2/v3/certs" })`
      The issuer's public keys: their URL, or the keys themselves as JSON. Another machine needs https:.`,
    CALLER_TLS_CA_FILE: variable(filePath().optional(), { example: "/etc/crosszone/ca.crt" })`
      PEM file of the authority that signed client certificates, for CALLER_AUTH=mtls.`,
    CALLER_ALLOWED: variable(list().optional(), {
      example: "email:verification@my-project.iam.gserviceaccount.com",
    })`
      Callers that execution accepts. With CALLER_AUTH=jwt, as claim:value of the token. With CALLER_AUTH=mtls, as a
      name in the client certificate, such as CN=verification.`,
  }),
  ...groupOf("Serve HTTPS", {
    TLS_CERT_FILE: variable(filePath().optional(), { example: "/etc/crosszone/tls.crt" })`
      PEM file of the server certificate and its chain. With it, the zone serves HTTPS only. It rereads the file on a
      change.`,
    TLS_KEY_FILE: variable(filePath().optional(), { example: "/etc/crosszone/tls.key" })`
      PEM file of the private key of TLS_CERT_FILE.`,
  }),
};
