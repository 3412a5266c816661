import { type Part, Role, type Task } from "@a2a-js/sdk";

/** A fetch with the token of `startAskedZone`. */
export const fetchWithToken: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  headers.set("authorization", "Bearer ci");
  return fetch(input, { ...init, headers });
};

/** Returns a part of the SDK 1.x, whose types require every member. */
export const part = (content: Part["content"], filename = "", mediaType = ""): Part => ({
  content,
  filename,
  mediaType,
  metadata: undefined,
});
export const textPart = (value: string): Part => part({ $case: "text", value });

/** Returns a request of the SDK 1.x. */
export const request = (text: string, { taskId = "", parts = [textPart(text)], isBlocking = true } = {}) => ({
  tenant: "",
  message: {
    messageId: crypto.randomUUID(),
    contextId: "",
    taskId,
    role: Role.ROLE_USER,
    parts,
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  },
  configuration: {
    acceptedOutputModes: [],
    taskPushNotificationConfig: undefined,
    historyLength: undefined,
    returnImmediately: !isBlocking,
  },
  metadata: undefined,
});

export const textsOf = ({ artifacts }: Task): unknown[] =>
  artifacts.flatMap(({ parts }) => parts.map(({ content }) => content?.value));
