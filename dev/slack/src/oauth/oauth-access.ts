import { z } from "zod";
import { checkArguments, requestArguments, type WebApiRequest } from "../web-api/arguments.ts";
import { SlackError } from "../web-api/slack-error.ts";
import type { Grants } from "./grants.ts";

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
