import type { RequestListener } from "node:http";
import { createSecureContext } from "node:tls";
import { type ApiTokens, bootstrap } from "@crosszone/admin-api";
import { createSecretSource } from "@crosszone/agent-bridge";
import { deriveSecret, readAuditKey, type RecordAct } from "@crosszone/audit";
import { type Emit, type Health, openLiveFiles, type ServerTls, type TlsMaterial } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { MayStore } from "@crosszone/workflow";
import type { RequestHandler } from "express";
import type { JWTVerifyGetKey } from "jose";
import { createA2aRoutes } from "../doors/a2a/create-a2a-routes.ts";
import type { AskRoutesDeps, AskSurface } from "../doors/ask-routes-deps.ts";
import {
  type Authenticator,
  createBearerAuth,
  createMtlsAuth,
  createOpenAuth,
  createPlatformAuth,
} from "../doors/auth/authenticator.ts";
import { createHmacAuth } from "../doors/auth/hmac-auth.ts";
import type { CallerClaim } from "../doors/auth/jwt-auth.ts";
import { type AskAccess, createAskDoor } from "../doors/ask-door.ts";
import { createAskApp, signWithKey } from "../doors/create-ask-app.ts";
import { createMcpRoutes } from "../doors/mcp/create-mcp-routes.ts";
import { createHookApi } from "../doors/api/fire-routes.ts";
import { createHookRoute, type HookRoute } from "../doors/hook-route.ts";
import { requestOrigin } from "../doors/rpc/describe-zone.ts";
import { type AcceptDeliveryDeps, createAcceptDelivery, readRefusals } from "../fires/deliveries.ts";
import type { Hook, ReadHooks } from "../fires/hook-settings.ts";
import type { Schedules } from "../fires/schedule-store.ts";
import type { AskService } from "../tasks/ask/ask-service.ts";
import { type AskSettings, defaultStoredBytes, grantOfToken, noAskers } from "../tasks/ask/asker.ts";
import { ProgramRoom, tooMuchStored } from "../tasks/ask/submit-question.ts";
import { createAskedTasks } from "../tasks/store/asked-tasks.ts";
import { callerAuthOf, callerVariables } from "./config/callers.ts";
import type { ExecutionConfig, LoadedExecutionConfig } from "./config/config.ts";
import type { RoleParts } from "./open-store.ts";

/**
 * Creates the configured authenticator. Every sender of a shared secret is the caller `verification`. `onFileFailure` is called when a replaced
 * secret file can't be used; the previous secrets stay valid.
 */
export async function createAuthenticator(
  loaded: { readonly values: ExecutionConfig; readonly files: LoadedExecutionConfig["files"] },
  onFileFailure: (error: unknown) => void,
): Promise<Authenticator> {
  const { values } = loaded;
  const { CALLER_ALLOWED: allowed = [] } = values;
  const caller = "verification";
  const now = (): number => Date.now();
  const kind = callerAuthOf(values);
  if (kind === "none") return createOpenAuth();
  if (kind === "platform") return createPlatformAuth(values.HOST_PROFILE);
  if (kind === "mtls") return createMtlsAuth(allowed, now);
  if (kind === "jwt") {
    // Loaded only when used: it is larger than the rest of authentication.
    const { createJwtAuth } = await import("../doors/auth/jwt-auth.ts");
    return createJwtAuth({
      keys: await keysOf(values),
      issuers: values.CALLER_JWT_ISSUER ?? [],
      audiences: values.CALLER_JWT_AUDIENCE ?? [],
      callers: allowed.map(claimOf),
      clockSkewMs: values.EXECUTION_JWT_CLOCK_SKEW_MS,
      now,
    });
  }
  const secrets = tokensOf(loaded, onFileFailure);
  if (kind === "bearer") return createBearerAuth(secrets, caller);
  const { EXECUTION_HMAC_WINDOW_MS: windowMs, EXECUTION_HMAC_NONCES: mostNonces } = values;
  return createHmacAuth({ secrets, caller, windowMs, mostNonces, now });
}

/** Returns the tokens of EXECUTION_TOKEN; if they come from a file, the file's current ones. */
function tokensOf(
  { values, files }: Parameters<typeof createAuthenticator>[0],
  onFailure: (error: unknown) => void,
): () => readonly string[] {
  const path = files.EXECUTION_TOKEN;
  const given = values.EXECUTION_TOKEN ?? [];
  if (path === undefined) return () => given;
  const { schema } = callerVariables.EXECUTION_TOKEN;
  const parse = ([text = ""]: readonly string[]): readonly string[] => {
    const tokens = schema.safeParse(text).data ?? [];
    if (tokens.length === 0)
      throw new TypeError("the file of EXECUTION_TOKEN no longer contains a secret of 32 characters");
    return tokens;
  };
  return openLiveFiles({ paths: { EXECUTION_TOKEN_FILE: path }, parse, first: given, onFailure }).current;
}

/** Parses `email:name@example.com`, which the configuration has checked. */
function claimOf(name: string): CallerClaim {
  const colon = name.indexOf(":");
  return { claim: name.slice(0, colon) as CallerClaim["claim"], value: name.slice(colon + 1) };
}

async function keysOf(values: ExecutionConfig): Promise<JWTVerifyGetKey> {
  const { CALLER_JWT_JWKS: keys = "" } = values;
  if (typeof keys !== "string") return (await import("jose")).createLocalJWKSet(keys);
  const { createRemoteKeys } = await import("../doors/auth/jwt-auth.ts");
  return createRemoteKeys({
    url: keys,
    maxAgeMs: values.EXECUTION_JWT_JWKS_MAX_AGE_MS,
    cooldownMs: values.EXECUTION_JWT_JWKS_COOLDOWN_MS,
  });
}

/**
 * Returns the certificate and key for HTTPS, from files that can be replaced at any time; undefined when the zone
 * serves HTTP.
 */
export function serverTls(config: ExecutionConfig, onFileFailure: (error: unknown) => void): ServerTls | undefined {
  const { TLS_CERT_FILE: cert, TLS_KEY_FILE: key, CALLER_TLS_CA_FILE: ca } = config;
  if (cert === undefined || key === undefined) return undefined;
  const parse = ([certText = "", keyText = "", caText]: readonly string[]): TlsMaterial => {
    const material = { cert: certText, key: keyText, ca: caText };
    // Throws unless certificate and key match. During a replacement one file may be newer than the other.
    createSecureContext(material);
    return material;
  };
  const paths = { TLS_CERT_FILE: cert, TLS_KEY_FILE: key, ...(ca !== undefined && { CALLER_TLS_CA_FILE: ca }) };
  const files = openLiveFiles({ paths, parse, onFailure: onFileFailure });
  return { material: files.current, askClients: callerAuthOf(config) === "mtls" };
}

/** Follows the section `programs`. */
export async function followPrograms({
  config,
  settings,
}: Pick<RoleParts, "config" | "settings">): Promise<() => AskAccess> {
  let current: AskAccess = { settings: noAskers };
  await settings.follow("programs", async (next) => {
    const { issuers, askers } = next;
    // Loaded only when used: it is larger than the rest of authentication.
    const { createVerifySubject } = issuers.length > 0 ? await import("../doors/auth/jwt-auth.ts") : {};
    const verifySubject = createVerifySubject?.(issuers, {
      askUrl: config.ASK_URL,
      clockSkewMs: config.EXECUTION_JWT_CLOCK_SKEW_MS,
      maxAgeMs: config.EXECUTION_JWT_JWKS_MAX_AGE_MS,
      cooldownMs: config.EXECUTION_JWT_JWKS_COOLDOWN_MS,
    });
    current = { settings: next, cardKey: next.cardKey, verifySubject };
    return { askers: askers.length };
  });
  return () => current;
}

/**
 * Opens the room for what is stored for programs: `stored_mb` of the section `programs`, else 1,000 MB. What people in Slack ask for is limited by their messages.
 */
export function openStoredRoom({ database, emit }: Pick<RoleParts, "database" | "emit">) {
  let askers = (): AskSettings => noAskers;
  const room = new ProgramRoom({
    count: createAskedTasks(database, undefined).storedBytes,
    isExact: false,
    onShort: (by, state, most_bytes) => emit("program_storage_short", { by, state, most_bytes }),
  });
  const mayStore: MayStore = async (actor, bytes) => {
    if (actor !== bootstrap && !actor.includes(":")) return;
    const { storedBytes: most = defaultStoredBytes } = grantOfToken(askers(), actor.replace(/^token:/, ""));
    if (!(await room.hasRoom(actor, most, bytes))) throw tooMuchStored(most);
  };
  return { room, mayStore, askers: () => askers(), follow: (given: typeof askers) => void (askers = given) };
}

/** What decides which programs can ask. */
type Asking = NonNullable<Awaited<ReturnType<typeof openAsking>>>;

/** Opens what decides which programs can ask; undefined without ASK_PORT. */
export async function openAsking(
  {
    stored,
    ...parts
  }: Pick<RoleParts, "config" | "settings"> & { readonly stored?: ReturnType<typeof openStoredRoom> },
  tokens: ApiTokens,
  record: RecordAct,
) {
  if (parts.config.ASK_PORT === undefined) return undefined;
  const pageKey = deriveSecret(readAuditKey(parts.config, "execution"), "page tokens");
  const access = await followPrograms(parts);
  stored?.follow(() => access().settings);
  return { access, stored: stored?.room, tokens, record, pageKey };
}

/** The routes of the protocols in which programs ask, by their path. */
const askProtocols: Readonly<Record<AskSurface, (deps: AskRoutesDeps) => RequestHandler>> = {
  a2a: (deps) => createA2aRoutes(deps, signWithKey),
  mcp: createMcpRoutes,
};

/** Returns the surface for programs, for a server of its own. */
export function openAsk(
  config: ExecutionConfig,
  { access, tokens, record, pageKey }: Omit<Asking, "stored">,
  served: {
    readonly ask: AskService;
    readonly health: Health;
    readonly emit: Emit<ExecutionEvent>;
    readonly version: string;
    /** The routes of the protocols; those of the product when absent. */
    readonly protocols?: typeof askProtocols;
    readonly hooks?: HookRoute | undefined;
  },
): RequestListener {
  const { ask, health, emit, version, protocols = askProtocols, hooks } = served;
  const askUrl = config.ASK_URL;
  const publicUrl: AskRoutesDeps["publicUrl"] = (request) => askUrl ?? requestOrigin(request);
  const deps: AskRoutesDeps = {
    ...createAskDoor({ tokens, access, publicUrl, record, emit }),
    ask,
    emit,
    publicUrl,
    limits: { maxBytes: config.MAX_BODY, maxDepth: config.MAX_DEPTH, maxWaitMs: config.MAX_WAIT_MS },
    version,
    pageKey,
    get cardKey() {
      return access().cardKey;
    },
  };
  const routes = Object.fromEntries(Object.entries(protocols).map(([surface, create]) => [surface, create(deps)]));
  const issuers = (): readonly string[] => access().settings.issuers.map(({ issuer }) => issuer);
  return createAskApp(routes, deps, { askUrl, issuers, health, hooks });
}

/** Follows the section `hooks`, and creates the route and the API of its hooks. */
export async function openHooks(
  { config, environment, emit, database, settings }: RoleParts,
  to: Pick<AcceptDeliveryDeps, "workflows"> & { readonly schedules: Schedules; readonly record: RecordAct },
) {
  const { fires, whyNoAgents } = to.schedules;
  const { AGENT_SECRETS_DIR: dir, ASK_PORT: port = "", ASK_URL: url } = config;
  const { read: readSecret } = createSecretSource({ environment, dir });
  let current: ReadHooks = { hooks: [], leftOut: [] };
  await settings.follow("hooks", ({ hooks: read, leftOut }) => {
    for (const { name: hook, because } of leftOut) emit("hook_left_out", { hook, because });
    // An edit with a mistake does not end a hook.
    const former = current.hooks.filter((hook) => leftOut.some(({ name }) => name === hook.settings.name));
    current = { hooks: [...read, ...former], leftOut };
    return { hooks: current.hooks.length };
  });
  const hooks = (): readonly Hook[] => current.hooks;
  // Read for each request, so that a replaced one takes effect.
  const secretsOf = async ({ settings: { secrets } }: Hook): Promise<readonly string[]> => {
    const read = await Promise.allSettled(secrets.map(readSecret));
    return read.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  };
  const accept = createAcceptDelivery({ ...to, fires, maxDepth: config.MAX_DEPTH });
  const route = createHookRoute({ hooks, secretsOf, accept, record: to.record, emit });
  const refusalsOf = (name: string) => readRefusals(database, name);
  const api = createHookApi({
    fires,
    whyNoAgents,
    current: () => current,
    refusalsOf,
    url: url ?? `http://localhost:${port}`,
  });
  /** Whether a hook makes the event: nobody else does, unless the section \`programs\` lists who. */
  const makesEvent = (name: string): boolean => hooks().some(({ settings: { event } }) => event?.name === name);
  return { route, api, makesEvent };
}
