import { openLiveFiles, type LoadedConfig } from "@crosszone/service-kit";
import type { JWTVerifyGetKey } from "jose";
import type { executionConfig, ExecutionConfig } from "../../config.ts";
import { authKindOf, type AuthKind } from "../../config/check-security.ts";
import { securityVariables } from "../../config/security-variables.ts";
import type { Authenticator } from "./authenticator.ts";
import { createBearerAuth } from "./bearer-auth.ts";
import { createHmacAuth } from "./hmac-auth.ts";
import { createMtlsAuth } from "./mtls-auth.ts";
import { createOpenAuth } from "./open-auth.ts";
import { createPlatformAuth } from "./platform-auth.ts";

export interface AuthenticatorOptions extends Pick<LoadedConfig<typeof executionConfig>, "values" | "files"> {
  /** Called when a replaced secret file can't be used. The previous secrets stay valid. */
  readonly onFileFailure: (error: unknown) => void;
}

/** Creates the configured authenticator. Every sender of a shared secret is the caller `verification`. */
export async function createAuthenticator(options: AuthenticatorOptions): Promise<Authenticator> {
  return kinds[authKindOf(options.values)](options);
}

const caller = "verification";
const now = (): number => Date.now();

const kinds: Record<AuthKind, (options: AuthenticatorOptions) => Authenticator | Promise<Authenticator>> = {
  none: createOpenAuth,
  bearer: (options) => createBearerAuth(secretsOf("EXECUTION_TOKEN", options), caller),
  jwt: async ({ values }) => {
    // Loaded only when used: it is larger than the rest of authentication.
    const { createJwtAuth } = await import("./jwt-auth.ts");
    return createJwtAuth({
      keys: await keysOf(values),
      issuers: values.CALLER_JWT_ISSUER ?? [],
      audiences: values.CALLER_JWT_AUDIENCE ?? [],
      algorithms: values.CALLER_JWT_ALGORITHMS,
      callers: values.CALLER_JWT_ALLOWED ?? [],
      clockSkewMs: values.EXECUTION_JWT_CLOCK_SKEW_MS,
      now,
    });
  },
  hmac: (options) =>
    createHmacAuth({
      secrets: secretsOf("EXECUTION_HMAC_SECRET", options),
      caller,
      windowMs: options.values.EXECUTION_HMAC_WINDOW_MS,
      mostNonces: options.values.EXECUTION_HMAC_NONCES,
      now,
    }),
  mtls: ({ values }) => createMtlsAuth({ clients: values.CALLER_TLS_ALLOWED ?? [], now }),
  platform: ({ values }) => createPlatformAuth(values.HOST_PROFILE),
};

/** Returns the secrets of a variable; if they come from a file, the file's current secrets. */
function secretsOf(
  name: "EXECUTION_TOKEN" | "EXECUTION_HMAC_SECRET",
  { values, files, onFileFailure }: AuthenticatorOptions,
): () => readonly string[] {
  const path = files[name];
  const given = values[name] ?? [];
  if (path === undefined) return () => given;
  const { schema } = securityVariables[name];
  const parse = ([text = ""]: readonly string[]): readonly string[] => {
    const secrets = schema.safeParse(text).data ?? [];
    if (secrets.length === 0) throw new TypeError(`the file of ${name} no longer contains a secret of 32 characters`);
    return secrets;
  };
  return openLiveFiles({ paths: { [`${name}_FILE`]: path }, parse, first: given, onFailure: onFileFailure }).current;
}

async function keysOf(values: ExecutionConfig): Promise<JWTVerifyGetKey> {
  const { createLocalKeys, createRemoteKeys } = await import("./json-web-keys.ts");
  if (values.CALLER_JWT_JWKS !== undefined) return createLocalKeys(values.CALLER_JWT_JWKS);
  return createRemoteKeys({
    url: values.CALLER_JWT_JWKS_URL ?? "",
    maxAgeMs: values.EXECUTION_JWT_JWKS_MAX_AGE_MS,
    cooldownMs: values.EXECUTION_JWT_JWKS_COOLDOWN_MS,
  });
}
