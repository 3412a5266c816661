import type { JsonObject } from "@crosszone/service-kit/json";
import { findError, listOf, membersOf, stringIn } from "./provider-error.ts";
import { argumentsIn, largestCounts, type MessageBlock, MessageBlocks, ping, type WireReader } from "./wire-blocks.ts";

const event = {
  text: "response.output_text.delta",
  refusal: "response.refusal.delta",
  thought: "response.reasoning_summary_text.delta",
  input: "response.function_call_arguments.delta",
} as const;

/** Items that are used, and what they are. */
const kinds = { message: "text", reasoning: "thinking", function_call: "call" } as const;

/** OpenAI's responses, without what is unknown. https://platform.openai.com/docs/api-reference/responses-streaming */
export function createResponsesReader(): WireReader {
  let ending: { readonly type: string; readonly response: JsonObject } | undefined;
  let isEnded = false;
  let usage: JsonObject = {};
  const items = new ResponseItems();

  const end = (isDone: boolean): object[] => {
    if (isEnded || !(isDone || ending)) return [];
    isEnded = true;
    const { type, response } = ending ?? { type: "response.completed", response: {} };
    const { incomplete_details, error } = response;
    const given =
      stringIn(membersOf(incomplete_details)["reason"]) || (type === "response.incomplete" ? "incomplete" : "");
    const reason = given === "" ? {} : { incomplete_details: { reason: given } };
    const counted = Object.keys(usage).length > 0 && { usage: { input_tokens: 0, output_tokens: 0, ...usage } };
    const found = type === "response.failed" ? findError({ error: error ?? undefined }) : undefined;
    const failed = found && { error: { code: found.code || found.type, message: found.message } };
    return [
      ...items.endAll(response["output"]),
      { type, sequence_number: 0, response: { ...reason, ...counted, ...failed } },
    ];
  };

  const read = (value: unknown): object[] => {
    if (ending) return [];
    const body = membersOf(value);
    const isWhole = body["object"] === "response" && body["type"] === undefined;
    const type = isWhole ? `response.${stringIn(body["status"]) || "completed"}` : stringIn(body["type"]) || "error";
    const response = isWhole ? body : membersOf(body["response"]);
    const error = type === "error" ? findError(value) : undefined;
    if (error) return [{ ...error, code: error.code || error.type, type, sequence_number: 0 }];
    usage = largestCounts(largestCounts(usage, response["usage"]), body["usage"]);
    if (/^response\.(?:completed|incomplete|failed)$/.test(type)) ending = { type, response };
    if (type === "response.created" || isWhole) return [createdOf(response)];
    const events = items.read(type, body);
    return events.length === 0 ? [ping] : events;
  };
  return { isFinished: () => ending !== undefined, isOver: () => ending !== undefined, end, read };
}

function createdOf({ id, created_at, model }: JsonObject): object {
  const seconds = Number(created_at);
  const response = { id: stringIn(id), created_at: Number.isFinite(seconds) ? seconds : 0, model: stringIn(model) };
  return { type: "response.created", response };
}

/** The items of a response. A text or an argument may come in pieces, whole with its item, or only with the whole response. */
class ResponseItems {
  readonly #blocks = new MessageBlocks(event.input, {
    start: (block) => ({ type: "response.output_item.added", output_index: block.index, item: itemOf(block) }),
    // All summaries of a thought are one: the package wants each part begun before its first piece.
    piece: ({ id: item_id, index: output_index }, type, delta) => ({
      type,
      item_id,
      output_index,
      summary_index: 0,
      delta,
    }),
    stop: (block) => ({ type: "response.output_item.done", output_index: block.index, item: itemOf(block) }),
  });
  /** The indexes by the ids of their items. */
  readonly #indexes = new Map<string, number>();
  readonly #ended = new Set<number>();

  read(type: string, body: JsonObject): object[] {
    const { item, item_id, output_index, delta, text, refusal, arguments: input } = body;
    const index = item === undefined ? this.#indexOf(item_id, output_index) : 0;
    switch (type) {
      case "response.output_item.added":
        return this.#start(output_index, membersOf(item));
      case "response.output_item.done":
        return this.#end(output_index, membersOf(item));
      case event.text:
      case event.refusal:
        return this.#blocks.add(index, "text", { type, text: stringIn(delta) });
      case event.thought:
        return this.#blocks.add(index, "thinking", { type, text: stringIn(delta) });
      case event.input:
        return this.#blocks.add(index, "call", { type, text: stringIn(delta) });
      case "response.output_text.done":
        return this.#blocks.complete(index, "text", { type: event.text, text: stringIn(text) });
      case "response.refusal.done":
        return this.#blocks.complete(index, "text", { type: event.refusal, text: stringIn(refusal) });
      case "response.function_call_arguments.done":
        return this.#blocks.complete(index, "call", { type: event.input, text: argumentsIn(input) });
      default:
        return [];
    }
  }

  /** Ends the items that are open, or that came only with the whole response. */
  endAll(output: unknown): object[] {
    const missing = listOf(output)
      .map(membersOf)
      .flatMap((item, at) => {
        const index = this.#indexOf(item["id"], at);
        const isUsed = Object.hasOwn(kinds, stringIn(item["type"]));
        return !isUsed || this.#ended.has(index) ? [] : this.#end(index, item);
      });
    return [...missing, ...this.#blocks.stopAll()];
  }

  /** Returns the index of an item. One with an id that is not known follows the last. */
  #indexOf(given: unknown, output_index: unknown, isNew = stringIn(given) !== ""): number {
    const id = stringIn(given);
    const index = this.#indexes.get(id) ?? this.#blocks.indexOf(output_index, isNew);
    if (id !== "") this.#indexes.set(id, index);
    return index;
  }

  #start(given: unknown, item: JsonObject): object[] {
    const { type, id, call_id, name, arguments: input, encrypted_content } = item;
    const index = this.#indexOf(id, given, true);
    const kind = kinds[type as keyof typeof kinds] as (typeof kinds)[keyof typeof kinds] | undefined;
    if (kind === undefined) return this.#blocks.ignore(index);
    this.#ended.delete(index);
    const of = { id: stringIn(id), callId: stringIn(call_id), name: stringIn(name) };
    return this.#blocks.start(index, kind, { ...of, input, sealed: stringIn(encrypted_content) || undefined });
  }

  #end(given: unknown, item: JsonObject): object[] {
    const index = this.#indexOf(item["id"], given);
    const kind = kinds[item["type"] as keyof typeof kinds];
    const events = this.#blocks.find(index)?.kind === kind ? [] : this.#start(index, item);
    const block = this.#blocks.find(index);
    if (block) block.sealed = stringIn(item["encrypted_content"]) || block.sealed;
    const parts = listOf(item["content"]).map(membersOf);
    const refused = parts.some(({ refusal }) => stringIn(refusal) !== "");
    const text = parts.map((part) => stringIn(part["text"]) || stringIn(part["refusal"])).join("");
    if (kind === "text")
      events.push(...this.#blocks.complete(index, kind, { type: refused ? event.refusal : event.text, text }));
    const summary = listOf(item["summary"]).map((part) => stringIn(membersOf(part)["text"]));
    if (kind === "thinking")
      events.push(...this.#blocks.complete(index, kind, { type: event.thought, text: summary.join("") }));
    if (kind === "call")
      events.push(...this.#blocks.complete(index, kind, { type: event.input, text: argumentsIn(item["arguments"]) }));
    this.#ended.add(index);
    return [...events, ...this.#blocks.stop(index)];
  }
}

function itemOf({ kind, id, callId: call_id, name, said, sealed }: MessageBlock): object {
  if (kind === "text") return { type: "message", id };
  if (kind === "thinking") return { type: "reasoning", id, encrypted_content: sealed };
  return { type: "function_call", id, call_id, name, arguments: said, status: "completed" };
}
