import { type NewTrafficEntry, parseJson } from "../traffic/traffic-log.ts";
import type { SignedPost } from "./signed-request.ts";
import type { SocketHub, SocketRequestType } from "./socket-hub.ts";

/** Slack's error codes: `operation_timeout` without a timely response, `dispatch_failed` for any status other than 200. */
export type AppError = "operation_timeout" | "dispatch_failed";

/** The app's reaction to a command or an interaction: `status` is 0 without a timely response. */
export interface AppAnswer {
  status: number;
  ms: number;
  /** The app's immediate reply: none, JSON, or text. */
  said?: unknown;
  /** Slack's error code. */
  error?: AppError;
}

/** Sends a command or an interaction to the app, once. */
export type AppSender = (type: SocketRequestType, payload: Readonly<Record<string, unknown>>) => Promise<AppAnswer>;

/**
 * Makes a sender: over a connected socket, otherwise as a signed form to the URL of the events, if there is one. An interaction is JSON in
 * the form's `payload`.
 */
export function createAppSender(
  hub: Pick<SocketHub, "connected" | "request">,
  http: () => SignedPost | undefined,
): AppSender {
  const overSocket: AppSender = async (type, sent) => {
    const started = performance.now();
    const { reason, payload } = await hub.request(type, sent);
    const ms = Math.round(performance.now() - started);
    if (reason !== undefined)
      return { status: 0, ms, error: reason === "timeout" ? "operation_timeout" : "dispatch_failed" };
    return { status: 200, ms, ...(!isEmpty(payload) && { said: payload }) };
  };

  async function overHttp(post: SignedPost, form: Record<string, string>): Promise<AppAnswer> {
    const started = performance.now();
    const type = { "content-type": "application/x-www-form-urlencoded" };
    const { status, text, reason } = await post(new URLSearchParams(form).toString(), type);
    const ms = Math.round(performance.now() - started);
    if (status === 200) return { status, ms, said: jsonOrText(text) };
    return { status, ms, error: reason === "http_timeout" ? "operation_timeout" : "dispatch_failed" };
  }

  return async (type, payload) => {
    if (hub.connected()) return overSocket(type, payload);
    const post = http();
    if (!post) return { status: 0, ms: 0, error: "dispatch_failed" };
    const isForm = type === "slash_commands";
    return overHttp(post, isForm ? (payload as Record<string, string>) : { payload: JSON.stringify(payload) });
  };
}

/** Returns the traffic entry of an answer, without its time and its request. */
export function answerEntry(name: string, answer: AppAnswer): Omit<NewTrafficEntry, "at" | "request"> {
  const { status, ms, said, error } = answer;
  const verdict = error === undefined ? "acknowledged" : status === 0 ? `no answer: ${error}` : `refused: ${status}`;
  return { kind: "event", name, status, ms, verdict, response: said };
}

/** Slack's own client sends an empty object with an acknowledgment without a reply. */
function isEmpty(payload: unknown): boolean {
  return payload === null || (typeof payload === "object" && Object.keys(payload).length === 0);
}

/** A JSON object is a message; anything else is the message's text, and white space is none. */
function jsonOrText(text: string): unknown {
  if (text.trim() === "") return undefined;
  const value = parseJson(text);
  return typeof value === "object" && value !== null ? value : { text };
}
