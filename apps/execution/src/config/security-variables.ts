import { defineConfig, list, secret, url } from "@crosszone/service-kit";
import { z } from "zod";
import { callerClaim, publicKeySet } from "./public-key-set.ts";

const group = "Authenticate callers";

/** Public-key algorithms only. With one of the HS family, whoever knows the public key could sign. */
const algorithms = z.enum(["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]);

/** Which callers execution accepts, and how they authenticate. */
export const securityVariables = defineConfig({
  CALLER_AUTH: {
    schema: z
      .enum(["none", "bearer", "jwt", "hmac", "mtls", "platform"])
      .describe("none, bearer, jwt, hmac, mtls or platform")
      .optional(),
    description:
      "How callers authenticate. platform trusts the host of HOST_PROFILE. If unset: bearer with EXECUTION_TOKEN, otherwise none, only for this machine.",
    group,
    formerly: "EXECUTION_AUTH",
  },
  EXECUTION_TOKEN: {
    schema: list(secret(32)).optional(),
    secret: true,
    description: "Bearer token that verification sends. List two while you replace one.",
    group,
  },
  EXECUTION_HMAC_SECRET: {
    schema: list(secret(32)).optional(),
    secret: true,
    description: "Secret that verification signs requests with. List two while you replace one.",
    group,
  },
  CALLER_JWT_ISSUER: {
    schema: list(url()).optional(),
    description: "Issuers whose tokens execution accepts: the iss claim.",
    example: "https://accounts.google.com",
    group,
    formerly: "EXECUTION_JWT_ISSUER",
  },
  CALLER_JWT_AUDIENCE: {
    schema: list().optional(),
    description: "Audiences that execution accepts: the aud claim. Usually the URL or ID of this zone.",
    example: "https://execution.example.com",
    group,
    formerly: "EXECUTION_JWT_AUDIENCE",
  },
  CALLER_JWT_ALLOWED: {
    schema: list(callerClaim).optional(),
    description: "Callers that execution accepts, as claim:value of the token.",
    example: "email:verification@my-project.iam.gserviceaccount.com",
    group,
    formerly: "EXECUTION_JWT_CALLERS",
  },
  CALLER_JWT_JWKS_URL: {
    schema: url().optional(),
    description: "URL of the issuer's public keys. Another machine needs https:.",
    example: "https://www.googleapis.com/oauth2/v3/certs",
    group,
    formerly: "EXECUTION_JWT_JWKS_URL",
  },
  CALLER_JWT_JWKS: {
    schema: publicKeySet.optional(),
    description: "The issuer's public keys as JSON. Use it instead of CALLER_JWT_JWKS_URL.",
    group,
    formerly: "EXECUTION_JWT_JWKS",
  },
  CALLER_JWT_ALGORITHMS: {
    schema: list(algorithms),
    default: "RS256,ES256",
    description: "Signature algorithms that execution accepts. Change it only if the issuer uses another one.",
    group,
    formerly: "EXECUTION_JWT_ALGORITHMS",
  },
});
