import type { AgentTask } from "@crosszone/contracts";
import { isObject, type JsonObject, ownList, ownMember } from "@crosszone/service-kit/json";

/**
 * kagent's extension of A2A: an agent asks people in a structured form, and gets a structured answer.
 * https://github.com/kagent-dev/kagent/blob/main/docs/architecture/human-in-the-loop.md
 */
export const hitlUri = "https://kagent.dev/extensions/hitl/v1";

/** A tool that the agent wants to call. */
interface HitlTool {
  /** Names the tool in the answer. */
  readonly id: string;
  readonly name: string;
  readonly args: JsonObject;
}

export interface HitlQuestion {
  readonly question: string;
  /** Empty when any text is an answer. */
  readonly choices: readonly string[];
  /** Whether several choices are an answer. */
  readonly multiple: boolean;
}

/** What an agent asks. `subagent` is the agent behind it that asks. */
export type HitlRequest = { readonly subagent?: string } & (
  | { readonly type: "tool_approval"; readonly tools: readonly HitlTool[]; readonly hint?: string }
  | { readonly type: "ask_user"; readonly id: string; readonly questions: readonly HitlQuestion[] }
);

/** Returns the request in a status message. Undefined unless the message declares the extension and also has its metadata. */
export function hitlRequestIn(message: unknown): JsonObject | undefined {
  const payload = ownMember(ownMember(message, "metadata"), hitlUri);
  return ownList(message, "extensions").includes(hitlUri) && isObject(payload) ? payload : undefined;
}

/** Returns the structured answer in a task's input; undefined when it has none. */
export const hitlResponseIn = ({ input_data }: AgentTask): unknown => ownMember(input_data, hitlUri);

/**
 * Reads a request. The tools and the question of a nested agent replace those of the agent that calls it, because the answer names them.
 * Undefined for an unknown type, a missing member, or an id that occurs twice.
 */
export function readHitlRequest(payload: unknown): HitlRequest | undefined {
  const nested = ownMember(payload, "nested") ?? undefined;
  const inner = nested === undefined ? undefined : readTools(ownList(nested, "tools"));
  if (nested !== undefined && inner === undefined) return undefined;
  const subagent = textOf(nested, "subagent_name");
  const type = ownMember(payload, "type");
  if (type === "tool_approval_request") {
    const own = readTools(ownList(payload, "tools"));
    const hint = textOf(payload, "hint");
    return own && { type: "tool_approval", tools: inner ?? own, hint, subagent };
  }
  if (type !== "ask_user_request") return undefined;
  const id = (inner?.find(({ name }) => name === "ask_user") ?? inner?.[0])?.id ?? textOf(payload, "id");
  const asked = ownList(payload, "questions");
  const questions = asked.map(readQuestion).filter((one) => one !== undefined);
  if (id === undefined || questions.length === 0 || questions.length < asked.length) return undefined;
  return { type: "ask_user", id, questions, subagent };
}

function readTools(tools: readonly unknown[]): readonly HitlTool[] | undefined {
  const read = tools.flatMap((tool) => {
    const [id, name] = [textOf(tool, "id"), textOf(tool, "name")];
    const args = ownMember(tool, "args") ?? {};
    return id !== undefined && name !== undefined && isObject(args) ? [{ id, name, args }] : [];
  });
  const ids = new Set(read.map(({ id }) => id));
  return tools.length > 0 && ids.size === tools.length ? read : undefined;
}

function readQuestion(asked: unknown): HitlQuestion | undefined {
  const question = textOf(asked, "question");
  const choices = ownList(asked, "choices").filter((choice) => typeof choice === "string" && choice.trim() !== "");
  return question === undefined
    ? undefined
    : { question, choices: [...new Set(choices as string[])], multiple: ownMember(asked, "multiple") === true };
}

function textOf(value: unknown, member: string): string | undefined {
  const text = ownMember(value, member);
  return typeof text === "string" && text.trim() !== "" ? text : undefined;
}

/** Returns whether a response answers this request: of its type, with exactly its ids. */
export function isResponseTo(response: unknown, payload: unknown): boolean {
  const request = readHitlRequest(payload);
  const type = ownMember(response, "type");
  if (request?.type === "ask_user") return type === "ask_user_response" && ownMember(response, "id") === request.id;
  if (request === undefined || type !== "tool_approval_response") return false;
  const ids = ownList(response, "approvals").map((approval) => ownMember(approval, "id"));
  return ids.length === request.tools.length && request.tools.every(({ id }) => ids.includes(id));
}
