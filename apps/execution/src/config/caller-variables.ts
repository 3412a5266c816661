import { defineConfig, list, secret, url } from "@crosszone/service-kit";
import type { JSONWebKeySet } from "jose";
import { z } from "zod";
import type { CallerClaim } from "../http/auth/jwt-auth.ts";
import { groupOf } from "./group-of.ts";

/** Parses a key set from JSON text. Rejects private keys, because readers of the configuration could sign with them. */
const publicKeySet: z.ZodType<JSONWebKeySet, string> = z
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
const callerClaim: z.ZodType<CallerClaim, string> = z
  .string()
  .transform((text) => ({ claim: text.slice(0, text.indexOf(":")), value: text.slice(text.indexOf(":") + 1) }))
  .pipe(z.object({ claim: z.enum(["sub", "email", "appid", "azp", "oid"]), value: z.string().min(1) }))
  .describe("sub, email, appid, azp or oid, a colon, and the value of that claim");

/** Public-key algorithms only. With HS256, the public key would be the secret. */
const algorithms = z.enum(["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]);

const file = (): z.ZodOptional<z.ZodString> => z.string().min(1).optional().describe("the path of a file");

/** Which callers execution accepts, how they authenticate, and how the zone serves HTTPS. */
export const callerVariables = defineConfig({
  ...groupOf("Authenticate callers", {
    CALLER_AUTH: {
      schema: z
        .enum(["none", "bearer", "jwt", "hmac", "mtls", "platform"])
        .describe("none, bearer, jwt, hmac, mtls or platform")
        .optional(),
      description:
        "How callers authenticate. platform trusts the host of HOST_PROFILE. If unset: bearer with EXECUTION_TOKEN, otherwise none, only for this machine.",
      formerly: "EXECUTION_AUTH",
    },
    EXECUTION_TOKEN: {
      schema: list(secret(32)).optional(),
      secret: true,
      description: "Bearer token that verification sends. List two while you replace one.",
    },
    EXECUTION_HMAC_SECRET: {
      schema: list(secret(32)).optional(),
      secret: true,
      description: "Secret that verification signs requests with. List two while you replace one.",
    },
    CALLER_JWT_ISSUER: {
      schema: list(url()).optional(),
      description: "Issuers whose tokens execution accepts: the iss claim.",
      example: "https://accounts.google.com",
      formerly: "EXECUTION_JWT_ISSUER",
    },
    CALLER_JWT_AUDIENCE: {
      schema: list().optional(),
      description: "Audiences that execution accepts: the aud claim. Usually the URL or ID of this zone.",
      example: "https://execution.example.com",
      formerly: "EXECUTION_JWT_AUDIENCE",
    },
    CALLER_JWT_ALLOWED: {
      schema: list(callerClaim).optional(),
      description: "Callers that execution accepts, as claim:value of the token.",
      example: "email:verification@my-project.iam.gserviceaccount.com",
      formerly: "EXECUTION_JWT_CALLERS",
    },
    CALLER_JWT_JWKS_URL: {
      schema: url().optional(),
      description: "URL of the issuer's public keys. Another machine needs https:.",
      example: "https://www.googleapis.com/oauth2/v3/certs",
      formerly: "EXECUTION_JWT_JWKS_URL",
    },
    CALLER_JWT_JWKS: {
      schema: publicKeySet.optional(),
      description: "The issuer's public keys as JSON. Use it instead of CALLER_JWT_JWKS_URL.",
      formerly: "EXECUTION_JWT_JWKS",
    },
    CALLER_JWT_ALGORITHMS: {
      schema: list(algorithms),
      default: "RS256,ES256",
      description: "Signature algorithms that execution accepts. Change it only if the issuer uses another one.",
      formerly: "EXECUTION_JWT_ALGORITHMS",
    },
    CALLER_TLS_CA_FILE: {
      schema: file(),
      description: "PEM file of the authority that signed client certificates, for CALLER_AUTH=mtls.",
      example: "/etc/crosszone/ca.crt",
      formerly: "TLS_CA_FILE",
    },
    CALLER_TLS_ALLOWED: {
      schema: list(
        z
          .string()
          .regex(/^(CN=|(DNS|URI|email|IP Address):)./)
          .describe("CN=…, DNS:…, URI:…, email:… or IP Address:…"),
      ).optional(),
      description: "Names in client certificates that execution accepts, for CALLER_AUTH=mtls.",
      example: "CN=verification,URI:spiffe://example.com/verification",
      formerly: "TLS_CLIENTS",
    },
  }),
  ...groupOf("Serve HTTPS", {
    TLS_CERT_FILE: {
      schema: file(),
      description:
        "PEM file of the server certificate and its chain. With it, the zone serves HTTPS only. It rereads the file on a change.",
      example: "/etc/crosszone/tls.crt",
    },
    TLS_KEY_FILE: {
      schema: file(),
      description: "PEM file of the private key of TLS_CERT_FILE.",
      example: "/etc/crosszone/tls.key",
    },
    TLS_KEY_PASSPHRASE: {
      schema: secret(1).optional(),
      secret: true,
      description: "Passphrase of TLS_KEY_FILE, if it has one.",
    },
  }),
});
