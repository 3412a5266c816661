import type { InputRequest } from "@crosszone/contracts";
import { formOf, type McpForm } from "./elicited-form.ts";
import { McpFailure } from "./mcp-failure.ts";
import type { McpAsking } from "./mcp-server.ts";

export type McpDecision = Pick<InputRequest, "state" | "answer">;

/** An input request for people: what the zone's tasks wait for. */
export interface McpQuestion extends Omit<McpForm, "field"> {
  /** Unique within the task. */
  readonly key: string;
  /** Names the server that asks. */
  readonly title: string;
  readonly body: string;
}

/** How a call continues when people have decided. JSON. */
export interface McpRound {
  readonly number: number;
  /** The server's own, given back as it is. */
  readonly state?: string | undefined;
  /** By the server's keys. A question without a key of ours is not asked. */
  readonly asked: Readonly<Record<string, { readonly key?: string; readonly field?: string | undefined }>>;
  /** Why a question was not asked, in sentences for the model. */
  readonly declined: readonly string[];
}

export interface Elicited {
  readonly questions: readonly McpQuestion[];
  readonly round: McpRound;
}

export interface ElicitOptions {
  readonly server: string;
  /** Begins the keys of a call's questions. */
  readonly prefix: string;
  /** Whether there are people who can be asked. */
  readonly canAsk: boolean;
  readonly before: McpRound | undefined;
}

/** Limits of one call: its rounds, the questions of a round, and characters of the state. */
const most = { rounds: 10, questions: 5, state: 65_536 };
const longest = { title: 150, body: 3_000 };

/** Converts what a server asks during a call. Throws an `McpFailure` for more than people should have to answer. */
export function elicitedBy({ requests, state }: McpAsking, options: ElicitOptions): Elicited {
  const { server, prefix, canAsk, before } = options;
  const number = (before?.number ?? 0) + 1;
  const entries = Object.entries(requests);
  if (number > most.rounds || entries.length > most.questions || (state?.length ?? 0) > most.state)
    throw new McpFailure("it asks too much before it completes a call");
  const declined = [...(before?.declined ?? [])];
  const questions: McpQuestion[] = [];
  const asked = entries.map(([name, { method, params }], at): [string, McpRound["asked"][string]] => {
    if (method !== "elicitation/create") throw new McpFailure(`it asks for ${JSON.stringify(method.slice(0, 50))}`);
    const form = canAsk ? formOf(params) : "but the task has no person to ask";
    if (typeof form === "string") {
      declined.push(`(The server ${server} asked for input, ${form}. The request was declined.)`);
      return [name, {}];
    }
    const { field, ...shown } = form;
    const key = `${prefix}.${number}.${at}`;
    questions.push({ key, ...shown, ...wordsOf(server, params["message"]) });
    return [name, { key, field }];
  });
  return { questions, round: { number, state, asked: Object.fromEntries(asked), declined } };
}

function wordsOf(server: string, message: unknown): Pick<McpQuestion, "title" | "body"> {
  const said = String(message).trim();
  const title = `The server ${server} asks: ${said.replaceAll(/\s+/g, " ")}`.slice(0, longest.title).toWellFormed();
  const warning = `The MCP server ${server} gets the answer. Do not enter passwords or keys.`;
  return { title, body: `${said.slice(0, longest.body).toWellFormed()}\n\n${warning}` };
}

/** Returns the answers to a server's questions, by its keys. An unanswered question is declined. */
export function answersTo(
  { asked }: McpRound,
  decided: ReadonlyMap<string, McpDecision>,
): Record<string, Record<string, unknown>> {
  const entries = Object.entries(asked).map(([name, { key = "", field }]): [string, Record<string, unknown>] => {
    const { state, answer } = decided.get(key) ?? {};
    if (state === "answered" && answer?.verdict === "answer") {
      const { value, values = {} } = answer;
      const content = value === undefined ? values : field === undefined ? {} : { [field]: value };
      return [name, { action: "accept", content }];
    }
    return [name, { action: state === undefined || state === "denied" ? "decline" : "cancel" }];
  });
  return Object.fromEntries(entries);
}
