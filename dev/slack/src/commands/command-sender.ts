import { sendOnce, signedHeaders } from "../events/signed-request.ts";
import type { SocketHub } from "../events/socket-hub.ts";
import type { CommandError } from "./command-texts.ts";

/** The app's reaction to a command: `status` is 0 without a timely response. */
export interface CommandOutcome {
  status: number;
  ms: number;
  /** The app's immediate reply: none, JSON, or text. */
  said?: unknown;
  /** Slack's error code. */
  error?: CommandError;
}

/** The parts of the command sender. */
export interface CommandSenderParts {
  hub: Pick<SocketHub, "connected" | "command">;
  /** The URL for commands when no socket is connected, the same as for events. */
  eventsUrl: () => string | undefined;
  signingSecret: string;
  /** Three seconds, in Slack. A command is never retried. Milliseconds. */
  ackTimeoutMs: number;
  /** Unix seconds. */
  now: () => number;
}

/** Sends a slash command to the app: over a connected socket, otherwise as a signed form. */
export function createCommandSender(
  parts: CommandSenderParts,
): (form: Readonly<Record<string, string>>) => Promise<CommandOutcome> {
  const { hub, eventsUrl, signingSecret, ackTimeoutMs, now } = parts;

  async function overSocket(form: Readonly<Record<string, string>>): Promise<CommandOutcome> {
    const started = performance.now();
    const { reason, payload } = await hub.command(form);
    const ms = Math.round(performance.now() - started);
    if (reason !== undefined)
      return { status: 0, ms, error: reason === "timeout" ? "operation_timeout" : "dispatch_failed" };
    return { status: 200, ms, ...(!isEmpty(payload) && { said: payload }) };
  }

  async function overHttp(url: string, form: Readonly<Record<string, string>>): Promise<CommandOutcome> {
    const body = new URLSearchParams({ ...form }).toString();
    const type = { "content-type": "application/x-www-form-urlencoded" };
    const headers = { ...signedHeaders(signingSecret, now(), body), ...type };
    const { status, ms, body: text } = await sendOnce({ url, headers, body }, ackTimeoutMs);
    if (status === 200) return { status, ms, said: jsonOrText(text) };
    const isLate = status === 0 && ms >= ackTimeoutMs;
    return { status, ms, error: isLate ? "operation_timeout" : "dispatch_failed" };
  }

  return async (form) => {
    if (hub.connected()) return overSocket(form);
    const url = eventsUrl();
    return url === undefined ? { status: 0, ms: 0, error: "dispatch_failed" } : overHttp(url, form);
  };
}

/** Slack's own client sends an empty object with an acknowledgment without a reply. */
function isEmpty(payload: unknown): boolean {
  return payload === null || (typeof payload === "object" && Object.keys(payload).length === 0);
}

/** A JSON object is a message; anything else is the message's text, and white space is none. */
function jsonOrText(text: string): unknown {
  if (text.trim() === "") return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // It is text.
  }
  return { text };
}
