import { createHash, createHmac, hkdfSync, randomBytes, randomUUID, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createTokenBuckets, type Emit, requestIdOf, senderOf } from "@crosszone/service-kit";
import type { VerificationEvent } from "@crosszone/telemetry";
import type { Logger as SlackLogger } from "@slack/bolt";
import { ErrorCode, type Installation as SlackInstallation, InstallProvider } from "@slack/oauth";
import { WebClient, type WebClientOptions } from "@slack/web-api";
import type { VerificationDatabase } from "../database.ts";
import { type AccessPolicy, mayInstall, type PolicySource } from "../policy/rules.ts";
import { readCallError, SlackCallError } from "../slack/slack-call-error.ts";
import type { Grant, Installation, InstallationStore } from "../workspaces/installation-store.ts";
import { tokenTimes } from "../workspaces/installation-token.ts";
import { answerPage, installedPage, installPage, type InstallRefusal, refusalPage } from "./install-pages.ts";

/** The end of an install flow without an installation. */
interface InstallRefused {
  readonly refusal: InstallRefusal;
  /** The workspace, when known. */
  readonly team_id?: string;
  readonly cause?: unknown;
}

/** Thrown when an install flow cannot continue. */
class InstallRefusedError extends Error {
  override readonly name = "InstallRefusedError";
  readonly refusal: InstallRefusal;

  constructor(refusal: InstallRefusal) {
    super(refusal);
    this.refusal = refusal;
  }
}

/** Slack's errors for an unusable code. https://docs.slack.dev/reference/methods/oauth.v2.access#errors */
const badCodes: ReadonlySet<string> = new Set(["invalid_code", "code_already_used", "code_expired"]);

const ofLibrary: Readonly<Record<string, InstallRefusal>> = {
  [ErrorCode.AuthorizationError]: "canceled",
  [ErrorCode.InvalidStateError]: "other_browser",
  [ErrorCode.MissingStateError]: "state_invalid",
  [ErrorCode.MissingCodeError]: "no_code",
  // The request's own host and path do not form a URL.
  ERR_INVALID_URL: "no_code",
};

/** Returns what an error of the flow means, and the cause to log. */
function readInstallError(error: unknown): InstallRefused {
  if (error instanceof InstallRefusedError) return { refusal: error.refusal };
  const code = String((error as { readonly code?: unknown } | undefined)?.code);
  const known = ofLibrary[code];
  if (known !== undefined) return { refusal: known };
  const isCall = error instanceof SlackCallError || code.startsWith("slack_webapi_");
  if (!isCall) return { refusal: "internal", cause: error };
  const cause = error instanceof SlackCallError ? error : readCallError("oauth.v2.access", error);
  if (badCodes.has(cause.code)) return { refusal: "code_refused", cause };
  return { refusal: cause.failure === "refused" ? "slack_refused" : "slack_unavailable", cause };
}

/** How long a person can take on Slack's page, milliseconds. */
export const stateMs = 600_000;

/**
 * Makes the states of OAuth, which prove that a browser returning from Slack was sent there by this zone: signed, from an expiry time and
 * random bytes. Only used states are stored. The signing key is derived from the app's client secret, so all processes of the zone share it.
 * https://www.rfc-editor.org/rfc/rfc6749#section-10.12
 */
export function createInstallStates(
  { db }: VerificationDatabase,
  { clientSecret, now }: { readonly clientSecret: string; readonly now: () => number },
) {
  const key = Buffer.from(hkdfSync("sha256", clientSecret, "", "crosszone install state", 32));
  const sign = (text: string): string => createHmac("sha256", key).update(text).digest("base64url");
  return {
    issue: (): string => {
      const text = `${now() + stateMs}.${randomBytes(16).toString("base64url")}`;
      return `${text}.${sign(text)}`;
    },
    /** Accepts a state once. Rejects with an `InstallRefusedError` if it was not issued here, has expired, or was used. */
    spend: async (state: string): Promise<void> => {
      const [, text = "", end = "", signature = ""] = /^((\d{1,15})\.[\w-]{22})\.([\w-]{43})$/.exec(state) ?? [];
      if (text === "" || !timingSafeEqual(Buffer.from(sign(text)), Buffer.from(signature)))
        throw new InstallRefusedError("state_invalid");
      if (Number(end) <= now()) throw new InstallRefusedError("state_expired");
      const digest = createHash("sha256").update(state).digest("base64url");
      const used = db.insertInto("spent_state").values({ digest, expires_at: Number(end) });
      const once = used.onConflict((conflict) => conflict.column("digest").doNothing());
      const { numInsertedOrUpdatedRows: rows = 0n } = await once.executeTakeFirstOrThrow();
      if (rows === 0n) throw new InstallRefusedError("state_spent");
    },
  };
}

export interface InstallerOptions {
  /** The app's display name. */
  readonly app: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Public URL of `redirectPath`; one of the app's redirect URLs. */
  readonly redirectUri: string;
  /** The scopes that the bot requests. */
  readonly scopes: readonly string[];
  /** Slack's authorization page. */
  readonly authorizeUrl: string;
  readonly states: ReturnType<typeof createInstallStates>;
  readonly client: WebClientOptions;
  readonly logger: SlackLogger;
}

interface InstallerParts {
  readonly installations: InstallationStore;
  readonly policy: PolicySource;
  readonly now: () => number;
  readonly emit: Emit<VerificationEvent>;
}

/** Sent back only to this host, only over TLS or loopback, and not with requests from other sites. */
const cookie = "__Host-crosszone-install";

/** Code exchanges per minute, and of one address. The Slack method for them has a rate limit and also renews the tokens of all workspaces. */
const exchangesPerMinute = { all: 30, address: 10 };

/**
 * Makes the OAuth 2.0 installation with Slack's own `InstallProvider`. The state in the redirect must match the browser's cookie.
 * https://docs.slack.dev/authentication/installing-with-oauth
 */
export function createInstaller(options: InstallerOptions, parts: InstallerParts) {
  const { app, states } = options;
  const { policy, emit } = parts;
  const asked = { scopes: [...options.scopes], redirectUri: options.redirectUri };
  const exchanges = createTokenBuckets({ perMinute: exchangesPerMinute.all });
  const ofAddress = createTokenBuckets({ perMinute: exchangesPerMinute.address });
  const provider = createProvider(options, parts, asked);

  // Ids are reported, never a token, code or state.
  const refuse = (response: ServerResponse, { refusal, team_id, cause: failure }: InstallRefused): void => {
    const http_request_id = requestIdOf(response);
    emit("install_refused", { reason: refusal, team_id, http_request_id, failure });
    const headers = refusal === "too_many" ? ["retry-after", "60"] : [];
    const page = refusalPage(refusal, http_request_id);
    answerPage(response, page.status ?? 400, { page, headers });
  };

  return {
    install: async (_request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const state = states.issue();
      const href = await provider.generateInstallUrl(asked, true, state);
      const attributes = `Secure; HttpOnly; SameSite=Lax; Path=/; Max-Age=${stateMs / 1_000}`;
      const headers = ["set-cookie", `${cookie}=${state}; ${attributes}`];
      answerPage(response, 200, { page: installPage(app, href), headers });
    },

    redirect: (request: IncomingMessage, response: ServerResponse): Promise<void> =>
      provider.handleCallback(request, response, {
        beforeInstallation: async () => {
          if (ofAddress.take(senderOf(request).address) === 0 && exchanges.take("") === 0) return true;
          refuse(response, { refusal: "too_many" });
          return false;
        },
        afterInstallation: async (installation) => {
          const refusal = refusalOf(installation, policy.current());
          if (refusal === undefined) return true;
          const cause = await revokeToken(installation, options);
          refuse(response, { refusal, team_id: installation.team?.id ?? installation.enterprise?.id, cause });
          return false;
        },
        success: (given) => {
          const { id: installation, enterprise_id, installed_by } = readInstaller(given);
          emit("app_installed", { installation, enterprise_id, installed_by, http_request_id: requestIdOf(response) });
          const where = given.team?.name ?? given.enterprise?.name ?? installation;
          answerPage(response, 200, { page: installedPage(app, where) });
        },
        failure: (error) => refuse(response, readInstallError(error)),
      }),
  };
}

function createProvider(
  { clientId, clientSecret, authorizeUrl, states, client, logger }: InstallerOptions,
  { installations, now }: InstallerParts,
  asked: { scopes: string[]; redirectUri: string },
): InstallProvider {
  return new InstallProvider({
    clientId,
    clientSecret,
    authorizationUrl: authorizeUrl,
    clientOptions: client,
    logger,
    stateCookieName: cookie,
    stateStore: {
      generateStateParam: async () => states.issue(),
      verifyStateParam: async (_now, state) => {
        await states.spend(state);
        return asked;
      },
    },
    installationStore: {
      storeInstallation: async (given) => {
        const { installation, grant } = readInstallation(given, { install: randomUUID(), now: now() });
        await installations.put(installation, grant);
      },
      fetchInstallation: async () => Promise.reject(new Error("the workspaces read installations")),
    },
  });
}

function readInstaller({ team, enterprise, isEnterpriseInstall, user }: SlackInstallation) {
  const id = isEnterpriseInstall === true ? enterprise?.id : team?.id;
  if (id === undefined) throw new Error("Slack returned no workspace");
  return { id, installed_by: user.id, enterprise_id: enterprise?.id };
}

/** Reads the installation and the bot's grant. No token of a person is requested. Throws if there is no workspace or bot. */
function readInstallation(
  given: SlackInstallation,
  { install, now }: { readonly install: string; readonly now: number },
): { readonly installation: Installation; readonly grant: Grant } {
  const { bot } = given;
  if (bot === undefined) throw new Error("Slack returned no bot");
  const { token, refreshToken: refresh_token, expiresAt, userId: bot_user_id, id: bot_id, scopes } = bot;
  const times = expiresAt === undefined ? {} : tokenTimes(now, expiresAt * 1_000 - now);
  return {
    installation: { ...readInstaller(given), install, bot_user_id, bot_id, scopes, installed_at: now },
    grant: { token, refresh_token, ...times },
  };
}

function refusalOf({ team, enterprise, bot }: SlackInstallation, policy: AccessPolicy): InstallRefusal | undefined {
  if (!mayInstall(policy, { team_id: team?.id, enterprise_id: enterprise?.id })) return "team_not_listed";
  return bot === undefined ? "no_bot" : undefined;
}

/** Revokes the token of an installation that was not completed. Resolves with the error if that fails. */
async function revokeToken({ bot }: SlackInstallation, { client, logger }: InstallerOptions): Promise<unknown> {
  if (bot === undefined) return undefined;
  try {
    await new WebClient(bot.token, { ...client, logger }).auth.revoke();
    return undefined;
  } catch (error) {
    return readCallError("auth.revoke", error);
  }
}
