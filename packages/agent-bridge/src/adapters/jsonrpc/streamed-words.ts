import { isObject, ownList, ownMember, type JsonObject } from "@crosszone/service-kit/json";
import { addPart } from "./parts.ts";

/** What an agent says in a stream outside of artifacts. */
export interface StreamedWords {
  /** Adds a message of the agent, and returns all messages so far as one. */
  readonly add: (message: JsonObject) => JsonObject;
  /** Notes a status message: the last one is the answer when nothing else comes. */
  readonly note: (message: unknown) => void;
  /** Returns the task with the last words in its history if it is completed without an answer; otherwise the task itself. */
  readonly answering: (task: JsonObject) => JsonObject;
  /** Returns the messages as artifacts that grow, for a preview. */
  readonly shown: () => readonly JsonObject[];
}

/**
 * Creates a reader of words. Some agents send one message per token, with the same id: their text is joined without a separator. A message
 * with another id begins a new paragraph.
 */
export function createStreamedWords(): StreamedWords {
  const shown: (JsonObject & { readonly parts: unknown[] })[] = [];
  const parts: JsonObject[] = [];
  let last: unknown;
  let joined: JsonObject | undefined;

  return {
    add: (message) => {
      const id = ownMember(message, "messageId");
      const isNew = joined !== undefined && id !== undefined && id !== joined["messageId"];
      const added = ownList(message, "parts");
      for (const [index, part] of added.entries()) addPart(parts, part, isNew && index === 0 ? "\n\n" : "");
      if (isNew || shown.length === 0) shown.push({ parts: [] });
      shown.at(-1)?.parts.push(...added);
      joined = { ...message, parts };
      last = joined;
      return joined;
    },
    note: (message) => {
      if (ownList(message, "parts").length > 0 && ownMember(message, "role") !== "user") last = message;
    },
    answering: (task) => {
      const hasAnswer = ownList(task, "artifacts").length > 0 || saysAfterUser(task);
      if (last === undefined || hasAnswer || ownMember(task["status"], "state") !== "completed") return task;
      return { ...task, history: [...ownList(task, "history"), last] };
    },
    shown: () => shown,
  };
}

/** Returns whether the agent's last message is newer than the user's. */
export function saysAfterUser(task: JsonObject): boolean {
  const { message } = isObject(task["status"]) ? task["status"] : {};
  const said = [...ownList(task, "history"), message].filter((each) => ownList(each, "parts").some(isObject));
  return said.length > 0 && ownMember(said.at(-1), "role") !== "user";
}
