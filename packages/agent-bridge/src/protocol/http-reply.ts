import type { AgentErrorKind } from "@crosszone/contracts";
import { deeperThan, opensDeeperThan } from "@crosszone/jsonrpc";
import { hideSecrets } from "@crosszone/service-kit";
import { AgentFailure, ProtocolTranslationError } from "./agent-failure.ts";
import type { AgentReply } from "./protocol-adapter.ts";

/** Maximum length of an agent's text in a message for people, UTF-16 units. */
const mostUnits = 1_000;

/** Longer text is searched for secrets only up to here. */
const searchedUnits = 4_000;

/**
 * Returns an agent's text for use in a message: one line, without secrets, of limited length. Undefined when it is
 * empty.
 */
export function agentWords(said: unknown): string | undefined {
  const text = typeof said === "string" ? said : JSON.stringify(said);
  if (text === undefined || said === null) return undefined;
  const line = hideSecrets(text.slice(0, searchedUnits))
    // oxlint-disable-next-line no-control-regex -- they would break the line
    .replaceAll(/[\u0000-\u0020\u007f-\u009f\u2028\u2029]+/g, " ")
    .trim();
  if (line === "") return undefined;
  return (
    line.length > mostUnits || text.length > searchedUnits ? `${line.slice(0, mostUnits)}…` : line
  ).toWellFormed();
}

export function isSuccessStatus(status: number): boolean {
  return status >= 200 && status < 300;
}

/**
 * Returns the failure of an HTTP status without a response of the agent's protocol.
 * https://www.rfc-editor.org/rfc/rfc9110#section-15
 */
export function failureOfStatus({ status, body }: AgentReply): AgentFailure {
  const kind = kindOf(status);
  const said = agentWords(new TextDecoder().decode(body.subarray(0, 4_096)));
  return new AgentFailure(kind, `The agent answered with HTTP ${status}: ${meaning[kind]}.`, {
    code: status,
    data: said,
  });
}

const meaning = {
  unauthorized: "it rejects our credentials; check the agent's auth in the registry",
  rate_limited: "it is overloaded",
  http_unavailable: "it can't answer right now",
  http_error: "it rejects the request; check the agent's url and protocol in the registry",
} satisfies Partial<Record<AgentErrorKind, string>>;

function kindOf(status: number): keyof typeof meaning {
  if (status === 401 || status === 403) return "unauthorized";
  if (status === 429) return "rate_limited";
  return status === 408 || status === 425 || status >= 500 ? "http_unavailable" : "http_error";
}

/** The deepest nesting of arrays and objects. Beyond some depth, JSON.stringify fails. */
const maxDepth = 128;

/** Above this size, bytes, the depth is checked before the text is parsed. */
const largeBytes = 65_536;

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Parses the body of a reply as JSON in UTF-8. Throws a `ProtocolTranslationError` `not_json` that contains the body.
 */
export function readJson({ body, status }: AgentReply, protocol: string): unknown {
  const refuse = (what: string, cause?: unknown): never => {
    const message = `The agent's answer (HTTP ${status}, ${body.byteLength} bytes) ${what}.`;
    const originalData = new TextDecoder().decode(body.subarray(0, 16_384));
    throw new ProtocolTranslationError("not_json", message, { protocol, direction: "response", originalData, cause });
  };
  if (body.byteLength === 0) return refuse("is empty instead of JSON");
  const isLarge = body.byteLength > largeBytes;
  if (isLarge && opensDeeperThan(body, maxDepth)) return refuse(`is nested more than ${maxDepth} levels deep`);
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(body));
  } catch (cause) {
    return refuse("is not JSON in UTF-8", cause);
  }
  return !isLarge && deeperThan(value, maxDepth) ? refuse(`is nested more than ${maxDepth} levels deep`) : value;
}
