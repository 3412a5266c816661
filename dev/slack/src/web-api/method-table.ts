import { AGENT_METHODS } from "./agent-methods.ts";
import { CHAT_CHANGE_METHODS, CHAT_POST_METHODS } from "./chat-methods.ts";
import { CONNECTION_METHODS } from "./connection-methods.ts";
import { CONVERSATION_METHODS } from "./conversation-methods.ts";
import { DIRECTORY_METHODS } from "./directory-methods.ts";
import { FILE_METHODS } from "./file-methods.ts";
import { REACTION_METHODS } from "./reaction-methods.ts";
import { STREAM_METHODS } from "./stream-methods.ts";
import type { WebMethod } from "./web-method.ts";

/** Every Web API method of the local Slack, by name; all others are `unknown_method`. */
export const METHOD_TABLE: ReadonlyMap<string, WebMethod> = new Map(
  [
    ...AGENT_METHODS,
    ...CHAT_CHANGE_METHODS,
    ...CHAT_POST_METHODS,
    ...CONNECTION_METHODS,
    ...CONVERSATION_METHODS,
    ...DIRECTORY_METHODS,
    ...FILE_METHODS,
    ...REACTION_METHODS,
    ...STREAM_METHODS,
  ].map((method) => [method.name, method]),
);
