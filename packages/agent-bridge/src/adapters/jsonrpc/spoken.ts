import { isObject, type JsonObject, ownList, ownMember } from "@crosszone/service-kit/json";
import { withoutThoughts } from "@crosszone/service-kit/text";
import { hitlRequestIn, requestOfCalls } from "../../protocol/hitl-extension.ts";

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
  const own = kinds.find((one) => one === (kind ?? type)) ?? kinds.find((one) => Object.hasOwn(part, one));
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
    ...(artifact !== undefined && { artifact: spoken(artifact) }),
    ...(Array.isArray(artifacts) && { artifacts: artifacts.map((one) => spoken(one)) }),
    ...(Array.isArray(history) && { history: history.map((one) => spoken(one)) }),
    ...(isObject(message) && { status: { ...(status as JsonObject), message: spoken(message, state) } }),
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
