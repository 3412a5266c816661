import type { AgentRecord, ParamProblem } from "@crosszone/contracts";
import { hideSecrets } from "@crosszone/service-kit";
import { AgentFailure } from "../agent-failure.ts";
import type { FullSettings } from "./agent-settings.ts";

/** What is asked of an agent beside its schema before it is stored. Each throws an `AgentFailure` whose message says what to do. */
export interface AgentChecks {
  /** Whether an adapter speaks the protocol, and takes its configuration. */
  readonly protocol: (agent: Pick<FullSettings, "protocol" | "protocol_config">) => unknown;
  /** Whether this address may be called. */
  readonly url: (url: string) => unknown;
  /** Checks whether the agent's secrets can be sent to it. */
  readonly secrets: (agent: Pick<AgentRecord, "auth" | "source" | "url">) => unknown;
}

/** What the connection, the body and the call say in headers of their own: a key in one of them would break the request. */
const ownHeaders: ReadonlySet<string> = new Set(
  `accept accept-encoding connection content-encoding content-length content-type expect host idempotency-key keep-alive
  te trailer traceparent transfer-encoding upgrade x-correlation-id`.split(/\s+/),
);

/** Checks settings that fit their schema. Returns the problems that a schema cannot express, each at a JSON pointer. */
export async function settingsProblems(
  settings: FullSettings,
  source: AgentRecord["source"],
  checks: AgentChecks,
): Promise<ParamProblem[]> {
  const { name, url, auth } = settings;
  const found = [...textProblems(settings)];
  // Who follows a URL takes these two out of it. https://www.rfc-editor.org/rfc/rfc3986#section-5.2.4
  if (name === "." || name === "..") found.push({ pointer: "/name", message: "cannot be part of a URL" });
  found.push(...(await failureAt("/protocol", () => checks.protocol(settings))));
  found.push(...(await failureAt("/url", () => checks.url(url))));
  if (auth.type === "api_key" && ownHeaders.has(auth.header.toLowerCase()))
    found.push({ pointer: "/auth/header", message: "is a header that every request has for something else" });
  if (auth.type === "oauth2_client_credentials")
    found.push(...(await failureAt("/auth/token_url", () => checks.url(auth.token_url))));
  found.push(...(await failureAt("/auth", () => checks.secrets({ auth, source, url }))));
  return found;
}

function* textProblems({ name, url, description }: FullSettings): Generator<ParamProblem> {
  for (const [member, text] of Object.entries({ name, url, description })) {
    const pointer = `/${member}`;
    if (text.includes("\0") || !text.isWellFormed())
      yield { pointer, message: "must not hold U+0000 or half a surrogate pair: a database would not keep it" };
    else if (hideSecrets(text) !== text)
      yield { pointer, message: "looks as if it held a secret: name where the secret is found in auth instead" };
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
