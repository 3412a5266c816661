import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { AgentFailure, type AgentReply, type Reading } from "@crosszone/agent-bridge/wire";
import type { AgentTask } from "@crosszone/contracts";
import { createParser } from "eventsource-parser";
import { answerOf, unreadAnswer, type AgentAnswer } from "./agent-answer.ts";
import type { FoundAgent } from "./find-agent.ts";

export interface Conversation {
  /** Sends a text and returns the answer. Never rejects: an agent that gives no answer has the state `error`. */
  readonly say: (text: string) => Promise<AgentAnswer>;
}

export interface ConverseOptions {
  /** Sent with each request, names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Timeout of one answer, milliseconds. */
  readonly timeoutMs?: number;
}

/** First and longest delay between two polls, milliseconds. */
const pollMs = { first: 30, longest: 1_000 };

/** Starts a conversation with an agent: every message has the same context id, and an answer to a question continues its task. */
export function converse(agent: FoundAgent, options: ConverseOptions = {}): Conversation {
  const contextId = randomUUID();
  let openTaskId: string | undefined;
  return {
    say: async (text) => {
      const task_id = randomUUID();
      const task: AgentTask = {
        run_id: task_id,
        task_id,
        agent_name: agent.name ?? agent.url,
        correlation_id: task_id,
        input_data: text,
        context_id: contextId,
        ...(openTaskId !== undefined && { open_task_id: openTaskId }),
      };
      const answer = await answerTo(agent, task, options).catch(unreadAnswer);
      ({ openTaskId } = { openTaskId: undefined, ...answer });
      return answer;
    },
  };
}

async function answerTo(agent: FoundAgent, task: AgentTask, options: ConverseOptions): Promise<AgentAnswer> {
  const { adapter, streams } = agent;
  const { timeoutMs = 60_000 } = options;
  const call = { agent, options, signal: AbortSignal.timeout(timeoutMs) };
  const isStream = streams && adapter.toStream !== undefined && task.open_task_id === undefined;
  let reading = isStream
    ? await readStream(call, task)
    : adapter.fromResponse(await post(call, adapter.toRequest(task)), task);
  for (let pauseMs = pollMs.first; reading.state === "working"; pauseMs = Math.min(pauseMs * 1.5, pollMs.longest)) {
    const { remoteId } = reading;
    await delay(pauseMs, undefined, { signal: call.signal }).catch(() => undefined);
    reading = adapter.fromResponse(await post(call, adapter.toPoll?.(task, remoteId)), task);
  }
  return answerOf(reading.result);
}

interface OpenCall {
  readonly agent: FoundAgent;
  readonly options: ConverseOptions;
  readonly signal: AbortSignal;
}

async function open({ agent, options, signal }: OpenCall, body: unknown, accept: string): Promise<Response> {
  const { timeoutMs = 60_000 } = options;
  return fetch(agent.url, {
    method: "POST",
    headers: { "content-type": "application/json", accept, ...agent.adapter.headers, ...options.headers },
    body: JSON.stringify(body),
    signal,
    redirect: "manual",
  }).catch((cause: unknown) => {
    const isLate = (cause as Error).name === "TimeoutError";
    throw isLate
      ? new AgentFailure("call_timeout", `The agent gave no answer within ${timeoutMs / 1_000} s.`, { cause })
      : new AgentFailure("unreachable", `Cannot reach the agent at ${agent.url}.`, { cause });
  });
}

async function post(call: OpenCall, body: unknown): Promise<AgentReply> {
  return replyOf(await open(call, body, "application/json"));
}

const replyOf = async (response: Response): Promise<AgentReply> => ({
  status: response.status,
  headers: Object.fromEntries(response.headers),
  body: new Uint8Array(await response.arrayBuffer()),
});

/** Sends the message and reads its events. An agent that responds with JSON although its card says that it streams is read as well. */
async function readStream(call: OpenCall, task: AgentTask): Promise<Reading> {
  const { adapter } = call.agent;
  const response = await open(call, adapter.toStream?.(task), "text/event-stream");
  if (response.headers.get("content-type")?.startsWith("text/event-stream") !== true)
    return adapter.fromResponse(await replyOf(response), task);
  const read = adapter.createEventReader?.(task);
  let reading: Reading | undefined;
  const parser = createParser({
    onEvent: ({ data }) => {
      reading = read?.({ status: response.status, headers: {}, body: Buffer.from(data) }) ?? reading;
    },
  });
  const decoder = new TextDecoder();
  for await (const piece of response.body ?? []) {
    parser.feed(decoder.decode(piece, { stream: true }));
    if (reading?.state === "ended") break;
  }
  if (reading === undefined)
    throw new AgentFailure("invalid_response", "The agent's stream ended without an event that has an answer.");
  return reading;
}
