import type { AgentTask, AgentTaskFile } from "@crosszone/contracts";
import { isObject, ownList, ownMember } from "@crosszone/service-kit/json";

/** An interface of an agent, from its card. */
export interface CardInterface {
  readonly url: string;
  /** `JSONRPC`, `GRPC` or `HTTP+JSON`, or the URI of another binding, as in the card. */
  readonly binding: string;
  /** Version of A2A, such as `1.0` or `0.3.0`. */
  readonly version: string;
  readonly tenant?: string;
}

/** What a card says about calling its agent. */
export interface CardFacts {
  /** In the card's order, the preferred one first. */
  readonly interfaces: readonly CardInterface[];
  /** Media types that the agent accepts by default or for one of its skills; empty when the card lists none. */
  readonly inputModes: readonly string[];
  readonly streaming: boolean;
  /** URIs of the extensions of A2A that the agent supports. */
  readonly extensions: readonly string[];
}

/**
 * Reads a card of A2A 1.0 (`supportedInterfaces`) or 0.x (`url`, `preferredTransport`, `additionalInterfaces`), or of
 * both at once. Undefined when the value is not a card of either version. Members that a call doesn't need are not
 * checked. https://a2a-protocol.org/v1.0.0/specification/#441-agentcard
 */
export function readCard(card: unknown): CardFacts | undefined {
  const interfaces = [...interfacesOfV1(card), ...interfacesOfV0(card)];
  if (interfaces.length === 0) return undefined;
  const ofSkills = ownList(card, "skills").flatMap((skill) => ownList(skill, "inputModes"));
  const modes = [...ownList(card, "defaultInputModes"), ...ofSkills];
  const capabilities = ownMember(card, "capabilities");
  return {
    interfaces,
    inputModes: modes.filter((mode) => typeof mode === "string"),
    streaming: ownMember(capabilities, "streaming") === true,
    extensions: ownList(capabilities, "extensions")
      .map((extension) => ownMember(extension, "uri"))
      .filter((uri) => typeof uri === "string"),
  };
}

function interfacesOfV1(card: unknown): readonly CardInterface[] {
  return ownList(card, "supportedInterfaces").flatMap((each) => {
    const [url, binding, version] = ["url", "protocolBinding", "protocolVersion"].map((name) => ownMember(each, name));
    if (typeof url !== "string" || typeof binding !== "string") return [];
    const tenant = ownMember(each, "tenant");
    return [
      {
        url,
        binding,
        version: typeof version === "string" && version !== "" ? version : "1.0",
        tenant: typeof tenant === "string" && tenant !== "" ? tenant : undefined,
      },
    ];
  });
}

function interfacesOfV0(card: unknown): readonly CardInterface[] {
  const url = ownMember(card, "url");
  if (!isObject(card) || typeof url !== "string") return [];
  const stated = ownMember(card, "protocolVersion");
  const version = typeof stated === "string" && stated !== "" ? stated : "0.3.0";
  const preferred = ownMember(card, "preferredTransport");
  const additional = ownList(card, "additionalInterfaces").map((each) => ({
    url: ownMember(each, "url"),
    transport: ownMember(each, "transport"),
  }));
  return [{ url, transport: preferred ?? "JSONRPC" }, ...additional].flatMap((each) =>
    typeof each.url === "string" && typeof each.transport === "string"
      ? [{ url: each.url, binding: each.transport, version }]
      : [],
  );
}

/**
 * Returns the task with only the files whose media type the card accepts; all files when the card names no input modes.
 */
export function acceptedBy(card: CardFacts | undefined, task: AgentTask): AgentTask {
  if (task.files === undefined || card === undefined || card.inputModes.length === 0) return task;
  const isAccepted = ({ media_type }: AgentTaskFile): boolean => accepts(card.inputModes, media_type);
  const files = task.files.filter(isAccepted);
  return files.length === task.files.length ? task : { ...task, files };
}

/** Returns the names of a task's files that were not accepted; undefined when all were. */
export function omittedFiles({ files = [] }: AgentTask, accepted: AgentTask): string[] | undefined {
  const omitted = files.filter((file) => accepted.files?.includes(file) !== true).map(({ name }) => name);
  return omitted.length > 0 ? omitted : undefined;
}

/** `text` and `file` are modes of agents before A2A 0.2.5. A mode can be a range such as `image/*`. */
function accepts(modes: readonly string[], mediaType: string): boolean {
  const type = mediaType.toLowerCase().split(";")[0]?.trim() ?? "";
  return modes.some((mode) => {
    const wanted = mode.toLowerCase().split(";")[0]?.trim() ?? "";
    if (wanted === type || wanted === "*/*" || wanted === "*" || wanted === "file") return true;
    if (wanted === "application/octet-stream") return true;
    return wanted.endsWith("/*") && type.startsWith(wanted.slice(0, -1));
  });
}
