import { defineConfig, durationMs, list, secret, url, wholeNumber } from "@crosszone/service-kit";
import { z } from "zod";
import { callerClaim } from "../http/auth/caller-claim.ts";
import { publicKeySet } from "../http/auth/public-key-set.ts";

const group = "Security";

/** Public-key algorithms only. With one of the HS family, whoever knows the public key could sign. */
const algorithms = z.enum(["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]);

/** Who may ask, and how they prove who they are. */
export const securityVariables = defineConfig({
  EXECUTION_AUTH: {
    schema: z
      .enum(["none", "bearer", "jwt", "hmac", "mtls", "platform"])
      .describe("none, bearer, jwt, hmac, mtls or platform")
      .optional(),
    description:
      "How callers prove who they are; platform: not to this zone, because the host of HOST_PROFILE lets nobody else through. When it is not set: bearer with EXECUTION_TOKEN, else none, which is for loopback only.",
    group,
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
  EXECUTION_HMAC_WINDOW_MS: {
    schema: durationMs({ min: 1_000, max: 3_600_000 }),
    default: "300000",
    description: "How far the time of a signed request may be from this clock.",
    group,
  },
  EXECUTION_HMAC_NONCES: {
    schema: wholeNumber({ min: 1_000 }),
    default: "1000000",
    description: "Signed requests that are remembered against replay; beyond it the window gets shorter, never looser.",
    group,
  },
  EXECUTION_JWT_ISSUER: {
    schema: list(url()).optional(),
    description: "Issuers whose tokens are good, as their iss says it, with commas.",
    example: "https://accounts.google.com",
    group,
  },
  EXECUTION_JWT_AUDIENCE: {
    schema: list().optional(),
    description: "Audiences that tokens may be for, as their aud says it, with commas: the address or id of this zone.",
    example: "https://execution.example.com",
    group,
  },
  EXECUTION_JWT_CALLERS: {
    schema: list(callerClaim).optional(),
    description: "Who may ask, by a claim of the token, with commas.",
    example: "email:verification@my-project.iam.gserviceaccount.com",
    group,
  },
  EXECUTION_JWT_JWKS_URL: {
    schema: url().optional(),
    description: "Where the issuer publishes its keys. http: only on this machine.",
    example: "https://www.googleapis.com/oauth2/v3/certs",
    group,
  },
  EXECUTION_JWT_JWKS: {
    schema: publicKeySet.optional(),
    description: "The issuer's keys themselves, instead of their URL.",
    group,
  },
  EXECUTION_JWT_ALGORITHMS: {
    schema: list(algorithms),
    default: "RS256,ES256",
    description: "Signature algorithms that are accepted.",
    group,
  },
  EXECUTION_JWT_CLOCK_SKEW_MS: {
    schema: durationMs({ max: 300_000 }),
    default: "30000",
    description: "How far the issuer's clock may be from this one.",
    group,
  },
  EXECUTION_JWT_JWKS_MAX_AGE_MS: {
    schema: durationMs({ min: 1_000 }),
    default: "600000",
    description: "How long keys from the URL are used before they are fetched again.",
    group,
  },
  EXECUTION_JWT_JWKS_COOLDOWN_MS: {
    schema: durationMs(),
    default: "30000",
    description: "Shortest time between two fetches of keys, whatever unknown keys tokens name.",
    group,
  },
});
