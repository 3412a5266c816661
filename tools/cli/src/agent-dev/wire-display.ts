import { isObject, type JsonObject, listAt, memberOf } from "@crosszone/a2a";
import { type AgentFailure, createAdapters, type Reading } from "@crosszone/agent-bridge/wire";
import type { AgentTask } from "@crosszone/contracts";
import { fit, harmless, harmlessJson, harmlessLine } from "../text/terminal-text.ts";
import { isSend, rpcMethodOf, type OnWire, protocolOf, type WireEvent, type WireExchange } from "./wire-exchange.ts";

export interface ShownAnswer {
  /** `completed`, `failed`, `canceled`, `rejected`, `input-required`, `auth-required`; `error` when the response can't be read. */
  readonly state: string;
  /** The text for a person: the answer, the question, or why there is none. */
  readonly text: string;
  /** The contents of its data parts, in order. */
  readonly data: readonly unknown[];
  /** The contents are not kept. */
  readonly files: readonly { readonly name: string; readonly media_type: string }[];
  /** The agent's id of the task, when the next message continues it. */
  readonly openTaskId?: string;
}

const ends: ReadonlySet<string> = new Set(["task_failed", "task_canceled", "task_rejected"]);
const questions: ReadonlySet<string> = new Set(["input_required", "auth_required"]);

/** Returns what a result means to a person. */
export function shownAnswerOf(output: unknown, error: AgentFailure | undefined): ShownAnswer {
  if (error === undefined) return { state: "completed", text: textOf(output), ...contentsOf(output) };
  const { kind, message } = error;
  const data = (error.data ?? {}) as { readonly agent_says?: unknown; readonly task_id?: unknown };
  const isQuestion = questions.has(kind);
  return {
    state: isQuestion || ends.has(kind) ? kind.replace("task_", "").replace("_", "-") : "error",
    text: typeof data.agent_says === "string" ? data.agent_says : message,
    ...contentsOf(data),
    openTaskId: isQuestion && typeof data.task_id === "string" ? data.task_id : undefined,
  };
}

/** Returns the answer of an agent that gave none that can be read. */
export function unreadAnswer(message: string): ShownAnswer {
  return { state: "error", text: message, data: [], files: [] };
}

function textOf(output: unknown): string {
  if (typeof output === "string") return output;
  return ["text", "response"].map((name) => memberOf(output, name)).find((said) => typeof said === "string") ?? "";
}

function contentsOf(output: unknown) {
  const holders = [...listAt(output, "artifacts"), memberOf(output, "message")];
  const parts = holders.flatMap((holder) => listAt(holder, "parts")).filter(isObject);
  return {
    data: parts.filter(({ kind }) => kind === "data").map(({ data }) => data),
    files: parts.filter(({ kind }) => kind === "file").map(fileOf),
  };
}

function fileOf({ file }: JsonObject) {
  const [name, mimeType] = ["name", "mimeType"].map((member) => memberOf(file, member));
  return {
    name: typeof name === "string" ? name : "",
    media_type: typeof mimeType === "string" ? mimeType : "application/octet-stream",
  };
}

export type WireDisplay = ReturnType<typeof createWireDisplay>;

/** Shows exchanges as lines: compact ones, in which repeated polls and pieces of a stream are left out, or whole JSON. */
export function createWireDisplay(write: (line: string) => void, startsWhole: boolean) {
  let isWhole = startsWhole;
  let lastState = "";
  const pieces = new Map<number, number>();

  /** Returns whether it says the same as the response before. */
  function showState(exchange: WireExchange, data: unknown, at_ms: number | undefined): boolean {
    const line = responseLine(exchange, data, at_ms);
    const state = line.replace(/^← \d+ /, "").replace(/ \(\d+ ms\)$/, "");
    const isRepeated = !isSend(exchange) && state === lastState;
    lastState = state;
    if (!isRepeated || isWhole) write(line);
    return isRepeated;
  }

  function showEvent(exchange: WireExchange, { data, at_ms }: WireEvent): void {
    const isPiece = /^← \d+ artifact\b/.test(responseLine(exchange, data, at_ms));
    const count = (pieces.get(exchange.n) ?? 0) + 1;
    if (isPiece) pieces.set(exchange.n, count);
    if (!isPiece || count === 1 || isWhole) showState(exchange, data, at_ms);
    if (isWhole) write(harmlessJson(data));
  }

  function showEnd(exchange: WireExchange): void {
    const { n, events, response, problem, duration_ms } = exchange;
    const count = pieces.get(n) ?? 0;
    pieces.delete(n);
    if (count > 1 && !isWhole) write(`← ${n} … ${count - 1} more pieces (${duration_ms} ms)`);
    const isRepeated = events === undefined && showState(exchange, response, duration_ms);
    if (isWhole && events === undefined && response !== undefined) write(harmlessJson(response));
    if (
      isRepeated ||
      problem !== undefined ||
      (!isSend(exchange) && !/get|subscribe/i.test(rpcMethodOf(exchange) ?? ""))
    )
      return;
    const answer = readAnswer(exchange);
    if (answer !== undefined) write(answerLines(answer));
  }

  return {
    onWire: (what: Parameters<OnWire>[0], exchange: WireExchange, event?: WireEvent): void => {
      if (what === "request") {
        if (isSend(exchange) || isWhole) write(requestLine(exchange));
        if (isWhole) write(harmlessJson(exchange.request));
      } else if (what === "event" && event !== undefined) showEvent(exchange, event);
      else showEnd(exchange);
    },
    /** Turns whole JSON on or off; returns whether it is on. */
    toggle: (): boolean => (isWhole = !isWhole),
  };
}

/** The answer as people read it, indented. */
function answerLines({ state, text, data, files }: ShownAnswer): string {
  const lines = [
    ...[state === "completed" ? "" : `[${state}]`, text].filter(Boolean),
    ...data.map((value) => JSON.stringify(value)),
    ...files.map(({ name, media_type }) => `File: ${name} (${media_type})`),
  ];
  return harmless(lines.join("\n")).replaceAll(/^/gm, "    ");
}

const widest = 100;

/** `→ 3 SendMessage "Hello"`, for a request. */
function requestLine(exchange: WireExchange): string {
  const { n, request, path } = exchange;
  const said = textIn(request);
  return lineOf(`→ ${n} ${rpcMethodOf(exchange) ?? path}`, said === "" ? "" : JSON.stringify(said));
}

/** `← 3 TASK_STATE_COMPLETED "Hi" (12 ms)`, for a response or one event of a stream. */
function responseLine(exchange: WireExchange, data: unknown, at_ms: number | undefined): string {
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
  const members = value as Record<string, unknown>;
  if (typeof members["input"] === "string") return members["input"];
  const { parts, params, artifacts, artifact, message, task, statusUpdate, artifactUpdate, status, output } = members;
  if (Array.isArray(parts)) return parts.map((part: { readonly text?: unknown } | null) => asText(part?.text)).join("");
  const places = [params, task, artifactUpdate, statusUpdate, artifact, artifacts, message, output, status];
  for (const place of places.flat()) {
    const text = textIn(place);
    if (text !== "") return text;
  }
  return "";
}

const asText = (text: unknown): string => (typeof text === "string" ? text : "");

/** Reads the answer in a response. Returns `undefined` while the task runs. */
function readAnswer(exchange: WireExchange): ShownAnswer | undefined {
  const task: AgentTask = { run_id: "r", task_id: "t", agent_name: "agent", correlation_id: "r", input_data: "" };
  try {
    const reading = read(exchange, task);
    if (reading === undefined) return unreadAnswer("The stream had no event.");
    return reading.state === "working" ? undefined : shownAnswerOf(reading.output, reading.failure);
  } catch (error) {
    return unreadAnswer((error as Error).message);
  }
}

function read(exchange: WireExchange, task: AgentTask): Reading | undefined {
  const adapter = createAdapters().adapterOf({ protocol: protocolOf(exchange), protocol_config: {} });
  const { status = 200, response, events } = exchange;
  // The adapter expects the id that it would have sent.
  const reply = (body: unknown) => {
    const own = typeof body === "object" && body !== null && "jsonrpc" in body ? { ...body, id: "t" } : body;
    return { status, headers: {}, body: Buffer.from(typeof own === "string" ? own : (JSON.stringify(own) ?? "")) };
  };
  if (events === undefined) return adapter.fromResponse(reply(response), task);
  const reader = adapter.createEventReader?.(task);
  return events.map(({ data }) => reader?.(reply(structuredClone(data)))).at(-1);
}
