import { randomBytes, randomUUID } from "node:crypto";
import type { DevSlack } from "../server/dev-slack.ts";
import { SlackError } from "../web-api/slack-error.ts";
import { z } from "zod";
import { checkArguments, requestArguments, type WebApiRequest } from "../web-api/arguments.ts";

/** The permission that a person granted. */
interface Allowed {
  slack: DevSlack;
  scopes: readonly string[];
  /** The app's own redirect URL, if it sent one; it must send the same one again. */
  redirectUri: string | undefined;
  /** The user who granted it. */
  user: string;
}

export interface GrantsOptions {
  /** Lifetime of a code, milliseconds. */
  codeLifetimeMs: number;
  /** Lifetime of a token, milliseconds. If set, tokens come with a refresh token. */
  tokenLifetimeMs: number | undefined;
}

/** Issues codes and refresh tokens; each works once. */
export interface Grants {
  issueCode(allowed: Allowed): string;
  /** Throws `invalid_code`, `code_already_used`, `code_expired` or `bad_redirect_uri`. */
  redeemCode(code: string, redirectUri: string | undefined): Record<string, unknown>;
  /** Throws `invalid_refresh_token`. */
  refresh(refreshToken: string): Record<string, unknown>;
  /** Every issued code and token, for tests that none of them leaks. */
  readonly handedOut: readonly string[];
}

/** Makes grants. See https://docs.slack.dev/reference/methods/oauth.v2.access */
export function createGrants({ codeLifetimeMs, tokenLifetimeMs }: GrantsOptions): Grants {
  const codes = new Map<string, Allowed & { until: number; used: boolean }>();
  const refreshTokens = new Map<string, Allowed>();

  const handedOut: string[] = [];
  const handOut = (secret: string): string => {
    handedOut.push(secret);
    return secret;
  };

  function tokens(allowed: Allowed): Record<string, unknown> {
    const { slack, scopes } = allowed;
    const { app, team, organization } = slack.workspace;
    const answer = {
      app_id: app.app_id,
      scope: scopes.join(","),
      token_type: "bot",
      access_token: handOut(slack.issueBotToken(tokenLifetimeMs)),
      bot_user_id: app.bot_user_id,
      team: organization ? null : { id: team.id, name: team.name },
      enterprise: organization ?? null,
      is_enterprise_install: organization !== undefined,
    };
    if (tokenLifetimeMs === undefined) return answer;
    const refresh_token = handOut(`xoxe-1-${randomBytes(24).toString("hex")}`);
    refreshTokens.set(refresh_token, allowed);
    return { ...answer, refresh_token, expires_in: Math.floor(tokenLifetimeMs / 1_000) };
  }

  return {
    handedOut,
    issueCode: (allowed) => {
      const code = handOut(`0.${randomUUID()}`);
      codes.set(code, { ...allowed, until: Date.now() + codeLifetimeMs, used: false });
      return code;
    },
    redeemCode: (code, redirectUri) => {
      const allowed = codes.get(code);
      if (allowed === undefined) throw new SlackError("invalid_code");
      if (allowed.used) throw new SlackError("code_already_used");
      allowed.used = true;
      if (Date.now() >= allowed.until) throw new SlackError("code_expired");
      if (redirectUri !== allowed.redirectUri) throw new SlackError("bad_redirect_uri");
      return { ...tokens(allowed), authed_user: { id: allowed.user } };
    },
    refresh: (refreshToken) => {
      const allowed = refreshTokens.get(refreshToken);
      if (allowed === undefined) throw new SlackError("invalid_refresh_token");
      refreshTokens.delete(refreshToken);
      return tokens(allowed);
    },
  };
}

export interface OAuthClient {
  clientId: string;
  clientSecret: string;
}

const ARGUMENTS = z.object({
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
  grant_type: z.enum(["authorization_code", "refresh_token"]).default("authorization_code"),
  code: z.string().optional(),
  redirect_uri: z.string().optional(),
  refresh_token: z.string().optional(),
});

/** Answers `oauth.v2.access`: the app authenticates by HTTP Basic or in the form, and uses a code or a refresh token. */
export async function oauthAccess(
  request: WebApiRequest,
  { client, grants }: { client: OAuthClient; grants: Grants },
): Promise<Record<string, unknown>> {
  try {
    const { args: raw } = await requestArguments({ ...request, authorization: "" });
    const args = checkArguments(ARGUMENTS, raw);
    const given = basicOf(request.authorization) ?? { clientId: args.client_id, clientSecret: args.client_secret };
    if (given.clientId !== client.clientId) throw new SlackError("invalid_client_id");
    if (given.clientSecret !== client.clientSecret) throw new SlackError("bad_client_secret");
    if (args.grant_type === "refresh_token") return { ok: true, ...grants.refresh(args.refresh_token ?? "") };
    return { ok: true, ...grants.redeemCode(args.code ?? "", args.redirect_uri) };
  } catch (error) {
    if (!(error instanceof SlackError)) throw error;
    return { ok: false, error: error.code, ...error.members };
  }
}

/** https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1 */
function basicOf(authorization: string): { clientId: string; clientSecret: string } | undefined {
  const [, encoded] = /^Basic (\S+)$/.exec(authorization) ?? [];
  if (encoded === undefined) return undefined;
  const [clientId = "", clientSecret = ""] = Buffer.from(encoded, "base64").toString().split(":", 2);
  return { clientId, clientSecret };
}
