import { defineConfig, duration, list, secret, url, wholeNumber } from "@crosszone/service-kit";
import { z } from "zod";
import { callerClaim } from "../http/auth/caller-claim.ts";
import { publicKeySet } from "../http/auth/public-key-set.ts";

const group = "Security";

/** Public-key algorithms only. With one of the HS family, whoever knows the public key could sign. */
const algorithms = z.enum(["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]);

/** Who may ask, and how they prove who they are. */
export const securityVariables = defineConfig({
  CALLER_AUTH: {
    schema: z
      .enum(["none", "bearer", "jwt", "hmac", "mtls", "platform"])
      .describe("none, bearer, jwt, hmac, mtls or platform")
      .optional(),
    description:
      "How callers prove who they are; platform: not to this zone, because the host of HOST_PROFILE lets nobody else through. When it is not set: bearer with EXECUTION_TOKEN, else none, which is for loopback only.",
    group,
    formerly: "EXECUTION_AUTH",
  },
  EXECUTION_TOKEN: {
    schema: list(secret(32)).optional(),
    secret: true,
    description: "Bearer token that verification must send; several with commas while one is being replaced.",
    group,
  },
  EXECUTION_HMAC_SECRET: {
    schema: list(secret(32)).optional(),
    secret: true,
    description: "Secret that verification signs its requests with; two with a comma while one is being replaced.",
    group,
  },
  CALLER_JWT_ISSUER: {
    schema: list(url()).optional(),
    description: "Issuers whose tokens are good, as their iss says it, with commas.",
    example: "https://accounts.google.com",
    group,
    formerly: "EXECUTION_JWT_ISSUER",
  },
  CALLER_JWT_AUDIENCE: {
    schema: list().optional(),
    description: "Audiences that tokens may be for, as their aud says it, with commas: the address or id of this zone.",
    example: "https://execution.example.com",
    group,
    formerly: "EXECUTION_JWT_AUDIENCE",
  },
  CALLER_JWT_ALLOWED: {
    schema: list(callerClaim).optional(),
    description: "Who may ask, by a claim of the token, with commas.",
    example: "email:verification@my-project.iam.gserviceaccount.com",
    group,
    formerly: "EXECUTION_JWT_CALLERS",
  },
  CALLER_JWT_JWKS_URL: {
    schema: url().optional(),
    description: "Where the issuer publishes its keys. http: only on this machine.",
    example: "https://www.googleapis.com/oauth2/v3/certs",
    group,
    formerly: "EXECUTION_JWT_JWKS_URL",
  },
  CALLER_JWT_JWKS: {
    schema: publicKeySet.optional(),
    description: "The issuer's keys themselves, instead of their URL.",
    group,
    formerly: "EXECUTION_JWT_JWKS",
  },
  CALLER_JWT_ALGORITHMS: {
    schema: list(algorithms),
    default: "RS256,ES256",
    description: "Signature algorithms that are accepted.",
    group,
    formerly: "EXECUTION_JWT_ALGORITHMS",
  },
});
