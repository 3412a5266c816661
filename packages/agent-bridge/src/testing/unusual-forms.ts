import { isObject, type JsonObject } from "@crosszone/service-kit/json";

/** Returns one of the values. */
export type PickOne = <Value>(values: readonly Value[]) => Value;

const nothing = [undefined, null];
const texts = [...nothing, ""];
const objects = [...nothing, {}];
const lists = [...nothing, []];
const said = { contextId: texts, taskId: texts, metadata: objects, extensions: lists, referenceTaskIds: lists };

/** The optional members of each object of A2A, in both versions, and legal values that say nothing; undefined for an absent member. */
const optionalMembers: Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>> = {
  result: { task: nothing, message: nothing, statusUpdate: nothing, artifactUpdate: nothing },
  task: { metadata: objects, history: lists, artifacts: lists },
  status: { message: nothing, timestamp: texts },
  message: said,
  artifact: { name: texts, description: texts, metadata: objects, extensions: lists },
  part: {
    metadata: objects,
    filename: texts,
    mediaType: texts,
    raw: nothing,
    url: nothing,
    data: nothing,
    text: nothing,
  },
  statusUpdate: { metadata: objects, final: [...nothing, false] },
  artifactUpdate: { metadata: objects, append: [...nothing, false], lastChunk: [...nothing, false] },
  card: {
    url: nothing,
    preferredTransport: texts,
    additionalInterfaces: lists,
    supportedInterfaces: lists,
    skills: lists,
    provider: objects,
    securitySchemes: objects,
    signatures: lists,
    defaultInputModes: lists,
  },
  capabilities: { pushNotifications: [...nothing, false], extensions: lists, streaming: [...nothing, false] },
  interface: { tenant: texts },
};

/** Elements that belong in no list of A2A. */
const oddElements: readonly unknown[] = [null, 7, "odd", true, [], {}, { kind: "unheard-of" }];

const elementOf: Readonly<Record<string, string>> = {
  artifacts: "artifact",
  history: "message",
  parts: "part",
  skills: "skill",
  supportedInterfaces: "interface",
  additionalInterfaces: "interface",
};

/**
 * Returns a legal but unusual form of a result or a card: optional members that it does not have are null or empty, and lists can have an odd
 * element. What it has stays byte for byte.
 */
export function unusualForm(value: unknown, pick: PickOne, kind = "result"): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => unusualForm(item, pick, elementOf[kind]));
    if (elementOf[kind] === undefined || pick([true, false])) return items;
    return items.toSpliced(pick([0, items.length]), 0, pick(oddElements));
  }
  if (!isObject(value)) return value;
  const own: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) own[name] = unusualForm(member, pick, name);
  for (const [name, values] of Object.entries(optionalMembers[kind] ?? {})) {
    const unusual = Object.hasOwn(value, name) ? undefined : pick(values);
    if (unusual !== undefined) own[name] = unusual;
  }
  return own satisfies JsonObject;
}
