import type { RequestListener } from "node:http";
import { type ApiTokens, bootstrap } from "@crosszone/admin-api";
import { deriveSecret, readAuditKey, type RecordAct } from "@crosszone/audit";
import type { Emit, Health } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { MayStore } from "@crosszone/workflow";
import type { RequestHandler } from "express";
import { createA2aRoutes } from "../doors/a2a/create-a2a-routes.ts";
import { type AskAccess, createAskDoor } from "../doors/ask-door.ts";
import type { AskRoutesDeps, AskSurface } from "../doors/ask-routes-deps.ts";
import { createAskApp, signWithKey } from "../doors/create-ask-app.ts";
import type { HookRoute } from "../doors/hook-route.ts";
import { createMcpRoutes } from "../doors/mcp/create-mcp-routes.ts";
import { requestOrigin } from "../doors/rpc/describe-zone.ts";
import { readStoredBytes } from "../people/token-store.ts";
import type { AskService } from "../tasks/ask/ask-service.ts";
import { type AskSettings, defaultStoredBytes, grantOfToken, noAskers } from "../tasks/ask/asker.ts";
import { ProgramRoom, tooMuchStored } from "../tasks/ask/submit-question.ts";
import type { ExecutionConfig } from "./config/variables.ts";
import type { RoleParts } from "./open-store.ts";

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
    current = { settings: next, verifySubject };
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
    count: async (actor) => (await readStoredBytes(database, [actor])).get(actor) ?? 0,
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
  parts: Pick<RoleParts, "config" | "settings">,
  {
    tokens,
    record,
    stored,
  }: { readonly tokens: ApiTokens; readonly record: RecordAct; readonly stored: ReturnType<typeof openStoredRoom> },
) {
  if (parts.config.ASK_PORT === undefined) return undefined;
  const pageKey = deriveSecret(readAuditKey(parts.config, "execution"), "page tokens");
  const access = await followPrograms(parts);
  stored.follow(() => access().settings);
  return { access, tokens, record, pageKey };
}

/** The routes of the protocols in which programs ask, by their path. */
const askProtocols: Readonly<Record<AskSurface, (deps: AskRoutesDeps) => RequestHandler>> = {
  a2a: (deps) => createA2aRoutes(deps, signWithKey),
  mcp: createMcpRoutes,
};

/** Returns the surface for programs, for a server of its own. */
export function openAsk(
  config: ExecutionConfig,
  { access, tokens, record, pageKey }: Asking,
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
      return access().settings.cardKey;
    },
  };
  const routes = Object.fromEntries(Object.entries(protocols).map(([surface, create]) => [surface, create(deps)]));
  const issuers = (): readonly string[] => access().settings.issuers.map(({ issuer }) => issuer);
  return createAskApp(routes, deps, { askUrl, issuers, health, hooks });
}
