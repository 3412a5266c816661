import { fit } from "../../output/fit.ts";
import { harmlessLine } from "../../output/harmless.ts";
import { methodOf, type WireExchange } from "./wire-exchange.ts";

const widest = 100;

/** `→ 3 SendMessage "Hello"`, for a request. */
export function requestLine(exchange: WireExchange): string {
  const { n, request, path } = exchange;
  const said = textIn(request);
  return lineOf(`→ ${n} ${methodOf(exchange) ?? path}`, said === "" ? "" : JSON.stringify(said));
}

/** `← 3 TASK_STATE_COMPLETED "Hi" (12 ms)`, for a response or one event of a stream. */
export function responseLine(exchange: WireExchange, data: unknown, at_ms: number | undefined): string {
  const { n, problem, status } = exchange;
  const took = at_ms === undefined ? "" : ` (${at_ms} ms)`;
  if (problem !== undefined) return lineOf(`← ${n} ✗`, problem + took);
  const { error, result } = (data ?? {}) as { readonly error?: unknown; readonly result?: unknown };
  if (error !== undefined && error !== null) {
    const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
    return lineOf(`← ${n} error`, `${JSON.stringify(code ?? null)} ${JSON.stringify(message)}${took}`);
  }
  const state = stateIn(result ?? data);
  const said = textIn(result ?? data);
  const what = state ?? (status === undefined || status === 200 ? "" : `HTTP ${status}`);
  return lineOf(`← ${n}`, [what, said === "" ? "" : JSON.stringify(said)].filter(Boolean).join(" ") + took);
}

const lineOf = (head: string, rest: string): string => fit(harmlessLine(`${head} ${rest}`.trimEnd()), widest);

/** Returns the first task state, or the name of the update, anywhere near the top of a response. */
function stateIn(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { status, task, statusUpdate, artifactUpdate, message, artifact } = value as Record<string, unknown>;
  if (typeof status === "string") return status;
  const { state } = (status ?? {}) as { readonly state?: unknown };
  if (typeof state === "string") return state;
  if (artifactUpdate !== undefined || artifact !== undefined) return "artifact";
  if (message !== undefined) return "message";
  return stateIn(task ?? statusUpdate);
}

/** Returns all text of the parts in a value, artifacts before status messages. */
function textIn(value: unknown): string {
  if (typeof value !== "object" || value === null) return "";
  const held = value as Record<string, unknown>;
  if (typeof held["input"] === "string") return held["input"];
  const { parts, params, artifacts, artifact, message, task, statusUpdate, artifactUpdate, status, output } = held;
  if (Array.isArray(parts)) return parts.map((part: { readonly text?: unknown } | null) => asText(part?.text)).join("");
  const places = [params, task, artifactUpdate, statusUpdate, artifact, artifacts, message, output, status];
  for (const place of places.flat()) {
    const text = textIn(place);
    if (text !== "") return text;
  }
  return "";
}

const asText = (text: unknown): string => (typeof text === "string" ? text : "");
