import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { freePort, listen } from "../servers/listen.ts";

async function newKey(kid: string) {
  const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
  const named = { kid, alg: "RS256", use: "sig" };
  return {
    kid,
    privateKey,
    secret: { ...(await exportJWK(privateKey)), ...named },
    open: { ...(await exportJWK(publicKey)), ...named },
  };
}

const clientSecret = "a-client-secret-of-thirty-two-letters";

/** Starts an OpenID provider on loopback that asks nobody for a password. Its one client has its pages at `url`. */
export async function startSignInProvider(url: string) {
  // Here, since few of the tests that load this package sign in.
  const { Provider } = await import("oidc-provider");
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  let key = await newKey("first");
  const state = {
    /** The subject that signs in next. */
    sub: "alice",
    /** The claims of each subject. */
    people: {} as Record<string, JWTPayload>,
    /** Replaces the ID token of each answer. */
    tamper: undefined as ((idToken: string) => string | Promise<string>) | undefined,
    /** While set, it answers nothing useful. */
    isDown: false,
  };
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: "console",
        client_secret: clientSecret,
        redirect_uris: [`${url}/auth/callback`],
        post_logout_redirect_uris: [`${url}/console`],
        backchannel_logout_uri: `${url}/auth/backchannel-logout`,
        backchannel_logout_session_required: true,
      },
    ],
    jwks: { keys: [key.secret] },
    // Its own refuses addresses of loopback.
    fetch: (address, options) => fetch(address, { ...options, dispatcher: undefined }),
    cookies: { keys: ["a-key-of-the-cookies"] },
    claims: {
      openid: ["sub", "sid", "name", "groups", "hasgroups", "https://slack.com/user_id", "https://slack.com/team_id"],
    },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ ...state.people[id], sub: id }) }),
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: { enabled: true },
    },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    loadExistingGrant: async ({ oidc: { provider: of, client, session } }) => {
      const { clientId = "" } = client ?? {};
      const given = await of.Grant.find(session?.grantIdFor(clientId) ?? "");
      if (given !== undefined) return given;
      const grant = new of.Grant({ clientId, accountId: session?.accountId ?? "" });
      grant.addOIDCScope("openid profile");
      await grant.save();
      return grant;
    },
    renderError: (context, { error, error_description: why }) => {
      context.type = "text/plain";
      context.body = `${error}: ${why}`;
    },
  });
  provider.use(async (context, next) => {
    await next();
    if (context.path === "/jwks") context.body = { keys: [key.open] };
    const body = context.body as { id_token?: string } | undefined;
    if (context.path === "/token" && body?.id_token !== undefined && state.tamper)
      context.body = { ...body, id_token: await state.tamper(body.id_token) };
  });
  const answer = provider.callback();
  const { stop } = await listen((request, response) => {
    if (state.isDown) return response.writeHead(503).end("out of order");
    if (request.url?.startsWith("/interaction/") === true)
      return provider.interactionFinished(request, response, { login: { accountId: state.sub } });
    return answer(request, response);
  }, port);
  return Object.assign(state, {
    issuer,
    clientSecret,
    /** Signs claims with the key that it publishes, or with another one of the same name. */
    sign: async (claims: JWTPayload, header: { typ?: string } = {}, isForeign = false): Promise<string> => {
      const { kid, privateKey } = isForeign ? await newKey(key.kid) : key;
      return new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid, ...header }).sign(privateKey);
    },
    /** Publishes only a new key from now on. Its own ID tokens still have the old one: `tamper` signs them again. */
    rotate: async (): Promise<void> => {
      key = await newKey("second");
    },
    stop,
  });
}
