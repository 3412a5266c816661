import type { ProviderName } from "../models/model-choice.ts";
import { frames, type ModelReply, sse } from "./ask-assistant.ts";

/** What a model says in one answer. What it doesn't say is empty. */
export interface SaidAnswer {
  readonly thought: string;
  /** Of the thought, as Anthropic's models sign it. */
  readonly signature: string;
  readonly text: string;
  /** JSON. */
  readonly input: string;
  readonly ends: "end" | "call" | "cut";
}

/** Legal but unusual forms of an answer. Without any, it has the documented form. */
export interface OddForm {
  /** Blocks have no stop. */
  readonly noStops?: boolean;
  /** Texts and thoughts have no start. */
  readonly noStarts?: boolean;
  /** Blocks start with their first words. */
  readonly firstInStart?: boolean;
  /** The arguments of a call come with its start, as an object. */
  readonly wholeInput?: boolean;
  /** Unknown events, and elements that are null or of another type, in every list. */
  readonly noise?: boolean;
  /** Optional members are null. */
  readonly nulls?: boolean;
  /** Not streamed. */
  readonly whole?: boolean;
  readonly usage?: "absent" | "null" | "texts" | "zero" | "apart" | "growing";
}

/** The tokens that each answer has. */
export const counts = { input: 50, output: 33 };

type Event = Readonly<Record<string, unknown>>;
/** What is there; the rest is left out. */
type Maybe = Event | false | undefined;

const present = (all: readonly Maybe[]): Event[] => all.filter((one) => one !== undefined && one !== false);

/** Cuts a text into two pieces; no piece is empty. */
const piecesOf = (text: string): string[] =>
  [text.slice(0, text.length / 2), text.slice(text.length / 2)].filter(Boolean);

/** The parts of a form that all wires have: the usages of its stream in order, and that of a whole answer. */
function formOf({ ends }: SaidAnswer, form: OddForm, [input, output]: readonly [string, string]) {
  const first = { [input]: counts.input, [output]: 1 };
  const all = { [input]: counts.input, [output]: counts.output };
  const texts = { [input]: String(counts.input), [output]: String(counts.output), extra: "x", other: [null] };
  const usages: Readonly<Record<string, readonly unknown[]>> = {
    absent: [],
    null: [null, null, null],
    texts: [undefined, undefined, texts],
    zero: [undefined, undefined, { [input]: 0, [output]: 0 }],
    apart: [first, all, undefined],
    growing: [first, all, { [output]: 0 }],
    documented: [first, undefined, all],
  };
  const usage = usages[form.usage ?? "documented"] ?? [];
  return {
    usage,
    wholeUsage: usage.findLast((one) => Object.keys(one ?? {}).length > 1),
    isWhole: form.wholeInput === true && ends === "call",
    none: form.nulls === true ? null : undefined,
    /** A member that a server may leave empty, or null. */
    orNull: <T>(value: T): T | null => (form.nulls === true ? null : value),
    odd: <T>(...elements: readonly T[]): T[] => (form.noise === true ? [...elements] : []),
  };
}

const json = (body: object): ModelReply => ({ type: "application/json", body: JSON.stringify(body) });

const oddData = [null, 7, 'data: "text"\n\n', [], {}, { type: "new_event", index: 0 }, { type: "ping" }] as Event[];

/** Events, each with what is odd before it. */
const stream = (events: readonly Event[], odd: readonly Event[]): string =>
  sse(...events.flatMap((one) => [...odd, one]));

function chatReply(said: SaidAnswer, form: OddForm): ModelReply {
  const { thought, text, input, ends } = said;
  const { usage, wholeUsage, isWhole, none, orNull, odd } = formOf(said, form, ["prompt_tokens", "completion_tokens"]);
  const finish_reason = { end: "stop", call: "tool_calls", cut: "length" }[ends];
  const call = (piece: unknown, isFirst: boolean) => {
    const [id, name] = isFirst ? ["c1", "lookup"] : [none, none];
    return [
      ...odd<unknown>(null, "x", { function: null }),
      { index: 0, id, type: none, function: { name, arguments: piece } },
    ];
  };
  const inputs = isWhole ? [JSON.parse(input)] : piecesOf(input);
  if (form.whole === true) {
    const tool_calls = input === "" ? none : call(isWhole ? inputs[0] : input, true);
    const message = { role: none, content: text || null, reasoning_content: thought || none, tool_calls };
    return json({ id: none, choices: [{ index: none, message, finish_reason }], usage: wholeUsage });
  }
  const chunk = (delta: object | null, reason: unknown = none) => ({
    choices: [{ index: 0, delta, finish_reason: reason }],
  });
  const events = present([
    { ...chunk({ role: "assistant", content: none }), usage: usage[0] },
    ...piecesOf(thought).map((reasoning_content) => chunk({ reasoning_content, content: none })),
    ...piecesOf(text).map((content) => chunk({ content, tool_calls: none })),
    ...inputs.map((piece, at) => chunk({ tool_calls: call(piece, at === 0) })),
    usage[1] !== undefined && { choices: orNull([]), usage: usage[1] },
    { ...chunk(orNull({}), finish_reason), usage: usage[2] },
  ]);
  return { body: `${stream(events, odd(...oddData, { choices: [null] }))}data: [DONE]\n\n` };
}

/** A block of Anthropic's messages or of Bedrock: how it starts, if it does, and its pieces. */
type Block = readonly [start: object | undefined, pieces: readonly object[]];

function messagesReply(said: SaidAnswer, form: OddForm): ModelReply {
  const { thought, signature, text, input, ends } = said;
  const { usage, wholeUsage, isWhole, none, orNull, odd } = formOf(said, form, ["input_tokens", "output_tokens"]);
  const stop_reason = { end: "end_turn", call: "tool_use", cut: "max_tokens" }[ends];
  const use = (given: unknown) => ({ type: "tool_use", id: "t1", name: "lookup", input: given });
  const asThought = { type: "thinking", thinking: thought, signature };
  if (form.whole === true) {
    const call = input !== "" && use(JSON.parse(input));
    const content = present([thought !== "" && asThought, text !== "" && { type: "text", text }, call]);
    const all = [...odd<unknown>(null, 7, { type: "new_block" }), ...content];
    return json({ type: "message", id: none, content: all, stop_reason, usage: wholeUsage });
  }
  const first = form.firstInStart === true ? 1 : 0;
  const [words, thoughts] = [piecesOf(text), piecesOf(thought)];
  const startOf = (start: object) => (form.noStarts === true && first === 0 ? undefined : start);
  const deltas = (type: string, member: string, pieces: string[]) => pieces.map((piece) => ({ type, [member]: piece }));
  const thinking = { type: "thinking", thinking: thoughts.slice(0, first).join(""), signature: orNull("") };
  const signed = deltas("signature_delta", "signature", [signature]);
  const blocks: Block[] = [
    [startOf(thinking), [...deltas("thinking_delta", "thinking", thoughts.slice(first)), ...signed]],
    [startOf({ type: "text", text: words.slice(0, first).join("") }), deltas("text_delta", "text", words.slice(first))],
    [
      use(isWhole ? JSON.parse(input) : orNull({})),
      isWhole ? [] : deltas("input_json_delta", "partial_json", piecesOf(input)),
    ],
  ];
  const streamed = blocks.flatMap(([content_block, pieces], index) =>
    [thought, text, input][index] === ""
      ? []
      : present([
          content_block && { type: "content_block_start", index, content_block },
          ...pieces.map((delta) => ({ type: "content_block_delta", index, delta })),
          form.noStops !== true && { type: "content_block_stop", index },
        ]),
  );
  const events = present([
    { type: "message_start", message: { id: none, role: "assistant", content: orNull([]), usage: usage[0] } },
    ...streamed,
    usage[1] !== undefined && { type: "message_delta", delta: { stop_reason: null }, usage: usage[1] },
    { type: "message_delta", delta: { stop_reason, stop_sequence: none }, usage: usage[2] },
    { type: "message_stop" },
  ]);
  const unknown = { type: "content_block_start", index: 9, content_block: { type: "new_block" } };
  const delta = { type: "content_block_delta", index: 9, delta: { type: "text_delta", text: "no" } };
  return { body: stream(events, odd(...oddData, unknown, delta, { type: "message_delta", delta: null })) };
}

function converseReply(said: SaidAnswer, form: OddForm): ModelReply {
  const { thought, signature, text, input, ends } = said;
  const { usage, wholeUsage, isWhole, none, odd } = formOf(said, form, ["inputTokens", "outputTokens"]);
  const stopReason = { end: "end_turn", call: "tool_use", cut: "max_tokens" }[ends];
  const given = isWhole || form.whole === true ? JSON.parse(input || "{}") : undefined;
  const toolUse = { toolUseId: "t1", name: "lookup", input: given };
  if (form.whole === true) {
    const content = present([
      thought !== "" && { reasoningContent: { reasoningText: { text: thought, signature } } },
      text !== "" && { text, toolUse: none },
      input !== "" && { text: none, toolUse },
    ]);
    const message = { role: "assistant", content: [...odd<unknown>(null, 7, { newContent: {} }), ...content] };
    return json({ output: { message }, stopReason, usage: wholeUsage, metrics: none });
  }
  const inputs = isWhole ? [] : piecesOf(input).map((piece) => ({ toolUse: { input: piece } }));
  const thoughts = [...piecesOf(thought).map((piece) => ({ text: piece })), { signature }];
  const blocks: Block[] = [
    [undefined, thoughts.map((reasoningContent) => ({ reasoningContent }))],
    [form.noStarts === true ? undefined : {}, piecesOf(text).map((piece) => ({ text: piece }))],
    [{ toolUse }, inputs],
  ];
  const streamed = blocks.flatMap(([start, pieces], contentBlockIndex) =>
    [thought, text, input][contentBlockIndex] === ""
      ? []
      : present([
          start && { contentBlockStart: { contentBlockIndex, start } },
          ...pieces.map((delta) => ({ contentBlockDelta: { contentBlockIndex, delta } })),
          form.noStops !== true && { contentBlockStop: { contentBlockIndex } },
        ]),
  );
  const events = present([
    { messageStart: { role: "assistant" } },
    form.usage !== undefined && usage[0] !== undefined && { metadata: { usage: usage[0] } },
    ...streamed,
    usage[1] !== undefined && { metadata: { usage: usage[1] } },
    { messageStop: { stopReason, additionalModelResponseFields: none } },
    usage[2] !== undefined && { metadata: { usage: usage[2], metrics: none, trace: none } },
  ]);
  const delta = { contentBlockDelta: { contentBlockIndex: 0, delta: null } };
  const noise = odd<Event>({ newEvent: null }, { contentBlockDelta: {} }, delta, { metadata: null });
  const all = events.flatMap((event) => [...noise, event]);
  return { body: frames(...all.map((event) => Object.entries(event)[0] as [string, object])) };
}

/** OpenAI's items, which have ids and come whole at their end. */
function responsesReply(said: SaidAnswer, form: OddForm): ModelReply {
  const { thought, text, input, ends } = said;
  const { usage, wholeUsage, isWhole, none, orNull, odd } = formOf(said, form, ["input_tokens", "output_tokens"]);
  const content = [...odd<unknown>(null, 7), { type: "output_text", text, annotations: none }];
  const summary = [{ type: "summary_text", text: thought }];
  const items = present([
    thought !== "" && { type: "reasoning", id: "rs_1", summary, encrypted_content: none },
    text !== "" && { type: "message", id: "msg_1", role: "assistant", content },
    input !== "" && {
      type: "function_call",
      id: "fc_1",
      call_id: "c1",
      name: "lookup",
      arguments: input,
      status: none,
    },
  ]);
  const [status, reason] = ends === "cut" ? ["incomplete", { reason: "max_output_tokens" }] : ["completed", null];
  const end = { id: "r", created_at: 1, model: "m1", error: null, status, incomplete_details: reason };
  if (form.whole === true) return json({ ...end, object: "response", output: items, usage: wholeUsage });
  const streamed = items.flatMap((item, output_index) => {
    const [type, pieces] = {
      reasoning: ["reasoning_summary_text", piecesOf(thought)] as const,
      message: ["output_text", piecesOf(text)] as const,
      function_call: ["function_call_arguments", isWhole ? [] : piecesOf(input)] as const,
    }[item["type"] as "message"];
    const given = form.firstInStart === true ? item["arguments"] : orNull("");
    const added = { ...item, content: [], arguments: given, summary: none };
    const place = { item_id: item["id"], output_index, content_index: none, summary_index: 0 };
    const hasStart = form.noStarts !== true || item["type"] === "function_call";
    return present([
      hasStart && { type: "response.output_item.added", output_index, item: added },
      ...pieces.map((delta) => ({ type: `response.${type}.delta`, ...place, delta })),
      form.noStops !== true && { type: "response.output_item.done", output_index, item: { ...item, content: none } },
    ]);
  });
  const created = { id: "r", created_at: orNull(1), model: "m1", usage: usage[0] };
  const output = [...odd<unknown>(null), ...items, ...odd({ type: "new_item" })];
  const events = present([
    { type: "response.created", response: created },
    ...streamed,
    usage[1] !== undefined && { type: "response.in_progress", response: { id: "r", usage: usage[1] } },
    { type: `response.${status}`, response: { ...end, output, usage: usage[2] } },
  ]);
  const added = { type: "response.output_item.added", output_index: 9, item: { type: "new_item" } };
  const delta = { type: "response.output_text.delta", item_id: null, output_index: 0, delta: null };
  return { body: stream(events, odd(...oddData, added, delta)) };
}

/** Returns what a server sends for an answer: in the form of its wire, or in a legal but unusual one. */
export const replyOf: Readonly<Record<ProviderName, (said: SaidAnswer, form: OddForm) => ModelReply>> = {
  "openai-compatible": chatReply,
  anthropic: messagesReply,
  bedrock: converseReply,
  openai: responsesReply,
};
