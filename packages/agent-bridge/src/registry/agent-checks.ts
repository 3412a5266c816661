import type { AgentRecord, ParamProblem } from "@crosszone/contracts";
import { hideSecrets } from "@crosszone/service-kit";
import { AgentFailure } from "../protocol/agent-failure.ts";
import type { FullSettings } from "./agent-settings.ts";

/**
 * Checks of an agent, besides its schema, before it is stored. Each throws an `AgentFailure` whose message says what to
 * do.
 */
export interface AgentChecks {
  /** Checks that an adapter supports the protocol and accepts its configuration. */
  readonly protocol: (agent: Pick<FullSettings, "protocol" | "protocol_config">) => unknown;
  /** Checks that the address may be called. */
  readonly url: (url: string) => unknown;
  /** Checks whether the agent's secrets can be sent to it. */
  readonly secrets: (agent: Pick<AgentRecord, "auth" | "source" | "url">) => unknown;
}

/** Headers that the connection, body or call sets itself. A key in one of them would break the request. */
const ownHeaders: ReadonlySet<string> = new Set(
  `accept accept-encoding connection content-encoding content-length content-type expect host idempotency-key keep-alive
  te trailer traceparent transfer-encoding upgrade x-correlation-id x-crosszone-hops`.split(/\s+/),
);

/** Checks settings that fit their schema. Returns the problems that a schema cannot express, each at a JSON pointer. */
export async function settingsProblems(
  settings: FullSettings,
  source: AgentRecord["source"],
  checks: AgentChecks,
): Promise<ParamProblem[]> {
  const { name, url, auth } = settings;
  const found = [...textProblems(settings)];
  // URL resolution removes these two. https://www.rfc-editor.org/rfc/rfc3986#section-5.2.4
  if (name === "." || name === "..") found.push({ pointer: "/name", message: "can't be part of a URL" });
  found.push(...(await failureAt("/protocol", () => checks.protocol(settings))));
  found.push(...(await failureAt("/url", () => checks.url(url))));
  if (auth.type === "api_key" && ownHeaders.has(auth.header.toLowerCase()))
    found.push({ pointer: "/auth/header", message: "is a header that every request uses for something else" });
  if (auth.type === "oauth2_client_credentials")
    found.push(...(await failureAt("/auth/token_url", () => checks.url(auth.token_url))));
  found.push(...(await failureAt("/auth", () => checks.secrets({ auth, source, url }))));
  return found;
}

function* textProblems({ name, url, description }: FullSettings): Generator<ParamProblem> {
  for (const [member, text] of Object.entries({ name, url, description })) {
    const pointer = `/${member}`;
    if (text.includes("\0") || !text.isWellFormed())
      yield { pointer, message: "must not contain U+0000 or half a surrogate pair, which a database can't store" };
    else if (hideSecrets(text) !== text)
      yield { pointer, message: "looks as if it contains a secret: name the place of the secret in auth instead" };
  }
}

async function failureAt(pointer: string, check: () => unknown): Promise<ParamProblem[]> {
  try {
    await check();
    return [];
  } catch (error) {
    if (error instanceof AgentFailure) return [{ pointer, message: error.message }];
    throw error;
  }
}
