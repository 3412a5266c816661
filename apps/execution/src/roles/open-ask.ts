import type { RequestListener } from "node:http";
import type { RequestHandler } from "express";
import { createA2aRoutes } from "../http/a2a/create-a2a-routes.ts";
import { createMcpRoutes } from "../http/mcp/create-mcp-routes.ts";
import type { ApiTokens } from "@crosszone/admin-api";
import { deriveSecret, readAuditKey, type RecordAct } from "@crosszone/audit";
import type { AskService } from "../ask/ask-service.ts";
import type { AskRoutesDeps, AskSurface } from "../http/ask-routes-deps.ts";
import { createAuthenticateAsker } from "../http/ask/authenticate-asker.ts";
import { createAskApp, signWithKey } from "../http/ask/create-ask-app.ts";
import { originOf } from "../http/card-route.ts";
import { createFileLoaded } from "./file-loaded.ts";
import { type OpenAskFile, openAskFile } from "./open-ask-file.ts";
import type { RoleParts } from "./role-parts.ts";

/** The routes of the protocols in which programs ask, by their path. */
const askProtocols: Readonly<Record<AskSurface, (deps: AskRoutesDeps) => RequestHandler>> = {
  a2a: (deps) => createA2aRoutes(deps, signWithKey),
  mcp: createMcpRoutes,
};

/** What decides which programs can ask. */
export interface Asking {
  readonly file: OpenAskFile;
  readonly tokens: ApiTokens;
  /** Appends an act to the audit log. */
  readonly record: RecordAct;
  /** As in `AskRoutesDeps`. */
  readonly pageKey: Uint8Array;
}

/** Opens what decides which programs can ask; undefined without ASK_PORT. */
export async function openAsking(
  { config, emit }: Pick<RoleParts, "config" | "emit">,
  tokens: ApiTokens,
  record: RecordAct,
): Promise<Asking | undefined> {
  if (config.ASK_PORT === undefined) return undefined;
  const pageKey = deriveSecret(readAuditKey(config, "execution"), "page tokens");
  return { file: await openAskFile(config, { emit, loaded: createFileLoaded(record) }), tokens, record, pageKey };
}

interface OpenAskOptions extends Pick<RoleParts, "config" | "health" | "emit"> {
  readonly ask: AskService;
  /** Absent when programs can't ask. */
  readonly asking: Asking | undefined;
  readonly version: string;
  /** The routes of the protocols; those of the product when absent. */
  readonly protocols?: typeof askProtocols;
}

/** Returns the surface for programs, for a server of its own; undefined when programs can't ask. */
export function openAsk(options: OpenAskOptions): RequestListener | undefined {
  const { config, ask, asking, health, emit, version, protocols = askProtocols } = options;
  if (asking === undefined) return undefined;
  const { file, tokens, record, pageKey } = asking;
  const askUrl = config.ASK_URL;
  const publicUrl: AskRoutesDeps["publicUrl"] = (request) => askUrl ?? originOf(request);
  const deps: AskRoutesDeps = {
    ...createAuthenticateAsker({ tokens, access: file.current, publicUrl, record, emit }),
    ask,
    emit,
    publicUrl,
    limits: { maxBytes: config.MAX_BODY, maxDepth: config.MAX_DEPTH, maxWaitMs: config.MAX_WAIT_MS },
    version,
    pageKey,
    get cardKey() {
      return file.current().cardKey;
    },
  };
  const routes = Object.fromEntries(Object.entries(protocols).map(([surface, create]) => [surface, create(deps)]));
  const issuers = (): readonly string[] => file.current().settings.issuers.map(({ issuer }) => issuer);
  return createAskApp({ routes, askUrl, cardKey: () => file.current().cardKey, publicUrl, issuers, health, emit });
}
