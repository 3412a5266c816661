import { isReadableOnTheWay } from "@crosszone/service-kit";
import { decodeProtectedHeader, type JWTPayload, type JWTVerifyGetKey } from "jose";
import * as oidc from "openid-client";
import type { ConsoleSettings } from "../../people/sign-in/console-settings.ts";
import { createRemoteKeys, verifyToken } from "../auth/jwt-auth.ts";

interface IdentityProviderOptions {
  /** CONSOLE_URL. */
  readonly url: string;
  /** CONSOLE_CLIENT_SECRET. Without it, the client is public, and only PKCE protects the code. */
  readonly clientSecret?: string | undefined;
  /** Allowed clock skew, milliseconds. */
  readonly clockSkewMs: number;
  /** Of the provider's keys, as for `createRemoteKeys`. */
  readonly maxAgeMs: number;
  readonly cooldownMs: number;
}

/** What binds a provider's response to the browser and the sign-in that it answers. */
export interface SignInSecrets {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE. */
  readonly verifier: string;
}

/** A response or a token of the provider is not acceptable. The message has nothing that a sender chose. */
class RejectedError extends Error {
  override readonly name = "RejectedError";
}

/** Timeout of a request to the provider, seconds. */
const timeout = 5;

/** How long the provider's metadata is used, milliseconds. */
const metadataMs = 3_600_000;

/** How old an ID token or a logout token can be, milliseconds. Microsoft Entra issues tokens five minutes ago. */
export const tokenAgeMs = 600_000;

/** Reads the provider's metadata. Rejects while it can't be reached. */
async function discoverProvider(settings: ConsoleSettings, options: IdentityProviderOptions) {
  const { issuer, client_id: clientId } = settings;
  const { url: _url, clientSecret, clockSkewMs, ...keyOptions } = options;
  const execute = new URL(issuer).protocol === "http:" ? [oidc.allowInsecureRequests] : [];
  const client = { [oidc.clockTolerance]: clockSkewMs / 1_000 };
  const discovered = { timeout, execute };
  const configuration = await oidc.discovery(new URL(issuer), clientId, client, clientAuth(clientSecret), discovered);
  const { issuer: named, jwks_uri: jwks } = configuration.serverMetadata();
  if (named !== issuer) throw new Error(`The provider names itself ${named}: write this as the issuer.`);
  if (jwks === undefined || isReadableOnTheWay(jwks)) throw new Error("The provider has no jwks_uri with https:.");
  return { configuration, keys: createRemoteKeys({ ...keyOptions, url: jwks }) };
}

/** The identity provider of the section `console`. Each function rejects with a `RejectedError`, or with another error while the provider can't be reached. */
export type IdentityProvider = ReturnType<typeof createIdentityProvider>;

export function createIdentityProvider(settings: ConsoleSettings, options: IdentityProviderOptions) {
  const { issuer, client_id: clientId, scopes } = settings;
  const { url, clockSkewMs } = options;
  let found: { readonly at: number; readonly provider: ReturnType<typeof discoverProvider> } | undefined;

  const discover = () => discoverProvider(settings, options);
  const find = async () => {
    if (found === undefined || performance.now() - found.at > metadataMs)
      found = { at: performance.now(), provider: discover() };
    const { provider } = found;
    return provider.catch((error: unknown) => {
      if (found?.provider === provider) found = undefined;
      throw error;
    });
  };
  /** Asks the provider first: a browser that is sent to a provider that is away shows an error of its own. */
  const findAnew = async () => {
    const provider = discover();
    await provider;
    found = { at: performance.now(), provider };
    return provider;
  };
  const verify = async (keys: JWTVerifyGetKey, token: string, required?: readonly string[]): Promise<JWTPayload> => {
    const rules = { keys, issuers: [issuer], audiences: [clientId], clockSkewMs, tokenAgeMs, now: () => Date.now() };
    const claims = await verifyToken(token, rules, required);
    if (typeof claims === "string") throw new RejectedError(claims);
    // https://openid.net/specs/openid-connect-core-1_0.html#IDTokenValidation
    const { aud, azp } = claims;
    if (azp === undefined ? [aud].flat().length > 1 : azp !== clientId) throw new RejectedError("token_wrong_party");
    return claims;
  };

  return {
    /** Returns where a person signs in. */
    signInUrl: async ({ state, nonce, verifier }: SignInSecrets): Promise<string> => {
      const { configuration } = await findAnew();
      const parameters = {
        redirect_uri: `${url}/auth/callback`,
        scope: scopes.join(" "),
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
      };
      return oidc.buildAuthorizationUrl(configuration, parameters).href;
    },

    /** Redeems the code of a response. Returns the ID token and its verified claims, with what else the UserInfo endpoint says. */
    redeem: async (query: string, { state, nonce, verifier }: SignInSecrets) => {
      const { configuration, keys } = await find();
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
      const response = new URL(`${url}/auth/callback${query}`);
      const tokens = await oidc.authorizationCodeGrant(configuration, response, checks).catch(rejection);
      // The library trusts TLS, and verifies no signature of a token that comes from the provider itself.
      const idToken = tokens.id_token ?? "";
      const claims = await verify(keys, idToken);
      const { sub = "" } = claims;
      const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined;
      const more = hasMore && (await oidc.fetchUserInfo(configuration, tokens.access_token, sub).catch(rejection));
      return { idToken, claims: { ...more, ...claims } as JWTPayload };
    },

    /**
     * Returns where a person signs out of the provider too; undefined when it offers no such page, or can't be reached. With the ID token,
     * the provider knows which session to end.
     */
    signOutUrl: async (idToken?: string): Promise<string | undefined> => {
      const { configuration } = await find().catch(() => ({ configuration: undefined }));
      if (configuration?.serverMetadata().end_session_endpoint === undefined) return undefined;
      const hint = idToken !== undefined && { id_token_hint: idToken };
      return oidc.buildEndSessionUrl(configuration, { post_logout_redirect_uri: `${url}/console`, ...hint }).href;
    },

    /** Verifies a logout token. https://openid.net/specs/openid-connect-backchannel-1_0.html#Validation */
    verifyLogout: async (token: string) => {
      const { keys } = await find();
      const claims = await verify(keys, token, ["iss", "aud", "iat", "jti", "events"]);
      const { sub, sid, jti = "", events, nonce } = claims;
      const { typ = "JWT" } = decodeProtectedHeader(token);
      const about = (events as Readonly<Record<string, unknown>> | undefined)?.[logoutEvent];
      const wrong = [
        [!/^(application\/)?(logout\+)?jwt$/i.test(typ), "it has another type"],
        [nonce !== undefined, "it has a nonce"],
        [typeof about !== "object" || about === null, "it has no logout event"],
        [!isId(jti) || !(isId(sub) || isId(sid)), "it names no session and no person"],
      ] as const;
      const [, because] = wrong.find(([is]) => is) ?? [];
      if (because !== undefined) throw new RejectedError(because);
      return { jti, whose: { iss: issuer, ...(isId(sub) && { sub }), ...(isId(sid) && { sid }) } };
    },
  };
}

const logoutEvent = "http://schemas.openid.net/event/backchannel-logout";

const isId = (value: unknown): value is string => typeof value === "string" && value !== "" && value.length <= 255;

/** Uses the method that the provider supports; HTTP Basic, unless it says otherwise. */
function clientAuth(secret: string | undefined): oidc.ClientAuth {
  if (secret === undefined) return oidc.None();
  const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)];
  return (server, ...request) => {
    const { token_endpoint_auth_methods_supported: methods = ["client_secret_basic"] } = server;
    return (methods.includes("client_secret_basic") ? basic : post)(server, ...request);
  };
}

/** What the library reports when the provider is down, rather than when its response is wrong. */
const outages: ReadonlySet<string | undefined> = new Set([
  "OAUTH_TIMEOUT",
  "OAUTH_ABORT",
  "OAUTH_RESPONSE_IS_NOT_CONFORM",
  "OAUTH_RESPONSE_IS_NOT_JSON",
  "OAUTH_PARSE_ERROR",
]);

/** Throws a `RejectedError` in place of an error that the response caused. */
function rejection(error: unknown): never {
  if (error instanceof oidc.AuthorizationResponseError || error instanceof oidc.ResponseBodyError)
    throw new RejectedError(/^[a-z_]{1,40}$/.test(error.error) ? error.error : "the provider reports an error");
  if (!(error instanceof oidc.ClientError) || outages.has(error.code) || error.code === undefined) throw error;
  throw new RejectedError(error.cause instanceof Error ? error.cause.message : error.message, { cause: error });
}
