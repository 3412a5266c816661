import { deeperThan, opensDeeperThan } from "@crosszone/jsonrpc";
import { ProtocolTranslationError } from "./agent-failure.ts";
import type { AgentReply } from "./protocol-adapter.ts";

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
