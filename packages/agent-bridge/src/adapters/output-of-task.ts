import { defined, partOfOthers } from "@crosszone/a2a";
import { isOthersContent } from "@crosszone/contracts";
import { isObject, type JsonObject, ownList, ownMember } from "@crosszone/service-kit/json";
import { labelOfOthers, withoutThoughts } from "@crosszone/service-kit/text";
import { hitlRequestIn, hitlUri } from "../protocol/hitl-extension.ts";
import { requestOfCalls } from "../protocol/waiting-calls.ts";

/** Types of parts that are not for people. */
const privateType =
  /^(?:(?<thought>thoughts?|thinking|reasoning)|(?:function|tool)_?(?:calls?|call_output|responses?|results?|use)|executable_code|code_execution_result|interrupts)$/i;

/**
 * Returns what a part is to people: by its type, that in its metadata or data, a mark such as `{adk_thought: true}`, the only members of its data, or
 * its own member. Older agents call its kind type.
 */
export function kindOfPart(part: unknown): "text" | "data" | "file" | "call" | "thought" | undefined {
  if (!isObject(part)) return undefined;
  const { kind, type, data, metadata } = part;
  const marks = Object.entries(isObject(metadata) ? metadata : {}).map(([name, value]) =>
    value === true ? /thought$/i.exec(name)?.[0] : /(?:^|_)(?:type|category)$/.test(name) && value,
  );
  const names = isObject(data) ? Object.keys(data) : [];
  const only = names.every((name) => privateType.test(name)) ? names : [];
  const types = [kind, type, ownMember(data, "type"), ...marks, ...only].map((one) => privateType.exec(String(one)));
  const found = types.find((one) => one !== null);
  if (found !== undefined) return found?.groups?.["thought"] === undefined ? "call" : "thought";
  const kinds = ["text", "data", "file"] as const;
  const own =
    kinds.find((one) => one === (kind ?? type)) ?? kinds.find((one) => (ownMember(part, one) ?? null) !== null);
  return own === "text" && typeof part["text"] !== "string" ? undefined : own;
}

/** Returns whether people see anything of an artifact or a message. */
export function saysAnything(holder: unknown): boolean {
  const parts = ownList(holder, "parts");
  return /\S/.test(textOfParts(parts) ?? "") || parts.some((part) => /data|file/.test(kindOfPart(part) ?? ""));
}

/** Returns the text of all text parts, in order and without thoughts, one a line; undefined without such a part. */
export function textOfParts(parts: readonly unknown[]): string | undefined {
  const texts = parts.flatMap((part) => (kindOfPart(part) === "text" ? String(ownMember(part, "text")) : []));
  return texts.length === 0 ? undefined : withoutThoughts(texts.join("\n"));
}

/**
 * Returns a result or an event in the JSON of A2A 0.3 with only the parts that are for people. Calls that wait for a person become a request of the
 * extension by which agents ask people. A `text` instead of parts becomes a part.
 */
export function spokenResult(result: unknown): unknown {
  if (!isObject(result)) return result;
  const { artifact, artifacts, history, status } = result;
  const [message, state] = ["message", "state"].map((member) => ownMember(status, member));
  return {
    ...(Object.hasOwn(result, "status") ? result : spoken(result)),
    ...defined({
      artifact: spoken(artifact),
      artifacts: Array.isArray(artifacts) ? artifacts.map((one) => spoken(one)) : undefined,
      history: Array.isArray(history) ? history.map((one) => spoken(one)) : undefined,
      status: isObject(message) ? { ...(status as JsonObject), message: spoken(message, state) } : undefined,
    }),
  };
}

/** Calls in a question are what it is about, unless the agent marks them as its protocol. */
function spoken<Holder>(holder: Holder, state?: unknown): Holder | JsonObject {
  if (!isObject(holder)) return holder;
  const { parts, text } = holder;
  if (!Array.isArray(parts)) return typeof text === "string" ? { ...holder, parts: [{ kind: "text", text }] } : holder;
  const asks = state === "input-required" && hitlRequestIn(holder) === undefined && requestOfCalls(parts);
  const isPrivate = kindOfPart({ ...holder, kind: "text" }) === "thought";
  const isShown = (part: unknown): boolean => {
    const isAbout = state === "input-required" && !asks && ownMember(part, "metadata") === undefined;
    return !isPrivate && kindOfPart(part) !== "thought" && (isAbout || kindOfPart(part) !== "call");
  };
  return { ...holder, ...asks, parts: parts.filter(isShown) };
}

/** The member of a message's, artifact's or task's metadata with questions that the person may ask next, a list of strings. */
export const followUpsKey = "https://crosszone.dev/follow-ups";

/**
 * Returns a task's output, from its artifacts and the agent's last message; undefined when it has neither:
 * - `text`: all text of all artifacts, separated by line breaks
 * - `artifacts`: all artifacts unchanged, with their data and files
 * - `response`: all text of the agent's last message, from `status.message` or `history`
 * - `message`: that message unchanged, when it has more than text, or follow-ups
 * - `response_source`: `history` when the message is older than the user's last one: it answers an earlier message
 * - `metadata`, `context_id`
 *
 * All member names are Crosszone's. Names from the agent appear only inside them.
 */
export function outputOfTask(task: JsonObject): JsonObject | undefined {
  const artifacts = ownList(task, "artifacts").filter(isObject);
  const text = textOfParts(artifacts.flatMap((artifact) => ownList(artifact, "parts")));
  const brought = defined({ text, artifacts: artifacts.length > 0 ? artifacts : undefined, ...saidLast(task) });
  return Object.keys(brought).length === 0 ? undefined : { ...brought, ...belongingsOf(task) };
}

/** Returns the same for a message that is the whole result. */
export function outputOfMessage(message: JsonObject): JsonObject | undefined {
  const said = saidBy(message);
  return Object.keys(said).length === 0 ? undefined : { ...said, ...belongingsOf(message) };
}

/** Returns the agent's last message. Its status is newer than the history. Some agents move their last words there. */
function saidLast(task: JsonObject): JsonObject {
  const latest = ownMember(ownMember(task, "status"), "message");
  if (saysAnything(latest) && ownMember(latest, "role") !== "user") return saidBy(latest);
  const said = saidBy(
    ownList(task, "history").findLast((one) => ownMember(one, "role") === "agent" && saysAnything(one)),
  );
  const isOlder = Object.keys(said).length > 0 && !saysAfterUser(task);
  return isOlder ? { ...said, response_source: "history" } : said;
}

function saidBy(message: unknown): JsonObject {
  const parts = ownList(message, "parts");
  const response = textOfParts(parts);
  const hasFollowUps = ownMember(ownMember(message, "metadata"), followUpsKey) !== undefined;
  return defined({ response, message: holdMoreThanText(parts) || hasFollowUps ? message : undefined });
}

function belongingsOf(result: JsonObject): JsonObject {
  const metadata = ownMember(result, "metadata");
  const contextId = ownMember(result, "contextId");
  return defined({
    metadata: isObject(metadata) ? metadata : undefined,
    context_id: typeof contextId === "string" ? contextId : undefined,
  });
}

/**
 * Converts any input of a task. For an object with `text`, or else `query`, that member is the text, even if empty, and the other members are
 * the message's metadata. Any other object, list or number is text as JSON; a string is used as is. Content of others in the metadata also
 * becomes labelled texts: an agent that reads only text gets the words of a forwarded message too.
 */
export function messageInput(input: unknown) {
  if (!isObject(input)) return { text: textOf(input) };
  const asked = ["text", "query"].find((name) => Object.hasOwn(input, name));
  if (asked === undefined) return { text: textOf(input) };
  const { [asked]: first, ...metadata } = input;
  return {
    text: textOf(first),
    others: ownList(metadata, "others").flatMap((content) =>
      isOthersContent(content) ? [partOfOthers(content, labelOfOthers(content))] : [],
    ),
    metadata: Object.keys(metadata).length > 0 ? metadata : undefined,
    extensions: Object.hasOwn(metadata, hitlUri) ? [hitlUri] : undefined,
  };
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? "null"));

/** Adds a part that can be used. A text continues the text before it, so that a stream of pieces is one text, and its parts stay few. */
export function addPart(parts: JsonObject[], part: unknown, separator = ""): void {
  const before = parts.at(-1);
  const text = ownMember(part, "text");
  if (!isObject(part) || kindOfPart(part) === undefined) return;
  if (before === undefined || typeof text !== "string" || holdMoreThanText([before, part])) parts.push({ ...part });
  else parts[parts.length - 1] = { ...before, text: `${String(before["text"])}${separator}${text}` };
}

function holdMoreThanText(parts: readonly unknown[]): boolean {
  return parts.some((part) => isObject(part) && kindOfPart(part) !== "text");
}

/** Returns the text of all text parts of a message, with thoughts. */
const textIn = (message: unknown): string =>
  ownList(message, "parts")
    .flatMap((part) => (kindOfPart(part) === "text" ? String(ownMember(part, "text")) : []))
    .join("");

/**
 * What an agent says in a stream outside of artifacts. Some agents send one message per token, with the same id: their text is joined
 * without a separator. A message with another id begins a new paragraph.
 */
export class StreamedWords {
  /** The messages as artifacts that grow, for a preview. */
  readonly shown: (JsonObject & { readonly parts: unknown[] })[] = [];
  readonly #parts: JsonObject[] = [];
  #joined: JsonObject | undefined;
  /** Messages of the status with one id: pieces of one text, or each has the text so far. */
  #pieces: JsonObject[] = [];
  #isStatusLast = false;

  /** Adds a message of the agent, and returns all messages so far as one. */
  add(message: JsonObject): JsonObject {
    const id = ownMember(message, "messageId");
    const isNew = this.#joined !== undefined && id !== undefined && id !== this.#joined["messageId"];
    const added = ownList(message, "parts");
    for (const [index, part] of added.entries()) addPart(this.#parts, part, isNew && index === 0 ? "\n\n" : "");
    if (isNew || this.shown.length === 0) this.shown.push({ parts: [] });
    this.shown.at(-1)?.parts.push(...added);
    this.#isStatusLast = false;
    this.#joined = { ...message, parts: this.#parts };
    return this.#joined;
  }

  /**
   * Notes a message of the status: the last one is the answer when nothing else comes. `isRepeated`: as a part of the whole task. Returns
   * whether it is kept beside earlier pieces.
   */
  note(message: unknown, isRepeated: boolean): boolean {
    if (!isObject(message) || message["role"] === "user") return false;
    const last = this.#pieces.at(-1);
    const { messageId: id, parts } = message;
    const isMore = typeof id === "string" && id !== "" && id === last?.["messageId"];
    if (!isMore && !saysAnything(message)) return false;
    this.#isStatusLast = true;
    if (isMore && isRepeated && JSON.stringify(parts) === JSON.stringify(last?.["parts"])) return false;
    const isWhole = !isMore || (this.#pieces.length === 1 && textIn(message).startsWith(textIn(last)));
    if (isWhole) this.#pieces = [];
    this.#pieces.push(message);
    return !isWhole;
  }

  /** Returns the last message of the status, of all its pieces. */
  #saidInStatus(): JsonObject | undefined {
    const last = this.#pieces.at(-1);
    if (last === undefined || this.#pieces.length === 1) return last;
    const parts: JsonObject[] = [];
    let text = "";
    for (const piece of this.#pieces) {
      const more = textIn(piece);
      // It has the text so far.
      if (text !== "" && more.startsWith(text)) [parts.length, text] = [0, ""];
      for (const part of ownList(piece, "parts")) addPart(parts, part);
      text += more;
    }
    return { ...last, parts };
  }

  /** Returns a task that goes on as it is; one that has ended, or asks, with its last words whole, in its history if its status has none. */
  answering(task: JsonObject): JsonObject {
    const { status } = task;
    const state = String(ownMember(status, "state"));
    if (!/^(?:completed|failed|canceled|rejected|input-required|auth-required)$/.test(state)) return task;
    const said = this.#saidInStatus();
    const message = ownMember(status, "message");
    const isSaid = this.#pieces.length > 1 && ownMember(message, "messageId") === said?.["messageId"];
    const whole = isSaid ? { ...task, status: { ...(status as JsonObject), message: said } } : task;
    const last = this.#isStatusLast ? said : this.#joined;
    if (last === undefined || !/^(?:completed|input-required)$/.test(state)) return whole;
    // Read only at the end: a long stream would cost quadratic time.
    if (ownList(whole, "artifacts").some(saysAnything) || saysAfterUser(whole)) return whole;
    return { ...whole, history: [...ownList(whole, "history"), last] };
  }
}

/** Returns whether the agent's last message is newer than the user's. */
function saysAfterUser(task: JsonObject): boolean {
  const { message } = isObject(task["status"]) ? task["status"] : {};
  const said = [...ownList(task, "history"), message].filter(saysAnything);
  return said.length > 0 && ownMember(said.at(-1), "role") !== "user";
}
