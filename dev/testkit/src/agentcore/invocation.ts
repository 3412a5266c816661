import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";

/** A call that the stand-in understood. */
interface Invocation {
  readonly session: string;
  readonly qualifier: string;
}

export const sessionHeader = "x-amzn-bedrock-agentcore-runtime-session-id";

/** Reads `POST /runtimes/{ARN}/invocations` as AgentCore does: the ARN is encoded whole, the session is 33 to 256 characters. */
export function readInvocation(
  request: IncomingMessage,
  { runtimeArn, qualifiers }: { readonly runtimeArn: string; readonly qualifiers: readonly string[] },
): Invocation | AwsRefusal {
  const invalid = (message: string): AwsRefusal => ({ status: 400, name: "ValidationException", message });
  const url = new URL(request.url ?? "", "http://stand-in");
  const [, encoded] = /^\/runtimes\/([^/]+)\/invocations$/.exec(url.pathname) ?? [];
  if (request.method !== "POST" || encoded === undefined)
    return { status: 404, name: "UnknownOperationException", message: "no such operation" };
  const arn = decodeURIComponent(encoded);
  if (encodeURIComponent(arn) !== encoded || !/^arn:aws(-[a-z]+)*:bedrock-agentcore:/.test(arn))
    return invalid("the ARN in the path is not valid, or not encoded");
  if (arn !== runtimeArn) return { status: 404, name: "ResourceNotFoundException", message: `no runtime ${arn}` };
  const unknown = [...url.searchParams.keys()].find((name) => name !== "qualifier" && name !== "accountId");
  if (unknown !== undefined) return invalid(`unknown parameter ${unknown}`);
  const accountId = url.searchParams.get("accountId");
  if (accountId !== null && accountId !== arn.split(":")[4]) return invalid("the account is not that of the runtime");
  const qualifier = url.searchParams.get("qualifier") ?? "DEFAULT";
  if (!qualifiers.includes(qualifier))
    return { status: 404, name: "ResourceNotFoundException", message: `no endpoint ${qualifier}` };
  const session = request.headers[sessionHeader] ?? randomUUID();
  if (typeof session !== "string" || session.length < 33 || session.length > 256)
    return invalid("the session id must have 33 to 256 characters");
  return { session, qualifier };
}

/** What a container says of itself. https://docs.aws.amazon.com/bedrock-agentcore/latest/devguide/runtime-http-protocol-contract.html */
export interface Ping {
  readonly status: "Healthy" | "HealthyBusy";
  /** Unix seconds. */
  readonly time_of_last_update: number;
}

/**
 * Asks a container how it is, as AgentCore does. Throws for any other shape: without the time, or with one in milliseconds, AgentCore
 * ends a session while it works.
 */
export async function ping(container: string): Promise<Ping> {
  const response = await fetch(new URL("/ping", container));
  const answer = (await response.json()) as Partial<Ping>;
  const { status, time_of_last_update: time } = answer;
  const isKnown = status === "Healthy" || status === "HealthyBusy";
  const isSeconds = Number.isInteger(time) && Math.abs(Date.now() / 1000 - (time ?? 0)) < 366 * 24 * 3600;
  if (response.status !== 200 || !isKnown || !isSeconds)
    throw new Error(`not the answer of a healthy container: ${response.status} ${JSON.stringify(answer)}`);
  return answer as Ping;
}

/** An error as AWS answers it. */
export interface AwsRefusal {
  readonly status: number;
  readonly name: string;
  readonly message: string;
}

/** The documented errors of `InvokeAgentRuntime`, and the name that each status has. */
const refusalByStatus = {
  400: "ValidationException",
  402: "ServiceQuotaExceededException",
  403: "AccessDeniedException",
  404: "ResourceNotFoundException",
  409: "RetryableConflictException",
  424: "RuntimeClientError",
  429: "ThrottlingException",
  500: "InternalServerException",
} as const;

/** Answers in the error shape of restJson1. https://smithy.io/2.0/aws/protocols/aws-restjson1-protocol.html#operation-error-serialization */
export function refuse(response: ServerResponse, { status, name, message }: AwsRefusal): void {
  response.writeHead(status, {
    "content-type": "application/json",
    "x-amzn-errortype": `${name}:http://internal.amazon.com/coral/com.amazonaws.bedrockagentcore/`,
    "x-amzn-requestid": randomUUID(),
  });
  response.end(JSON.stringify({ message }));
}

/** What the stand-in does with an invocation instead of handing it to its container. */
export type Behavior =
  /** AWS's documented error with this status. */
  | { readonly refuse: keyof typeof refusalByStatus }
  /** Any answer at all. Several chunks are sent one after the other. */
  | { readonly status?: number; readonly contentType?: string; readonly body: string | readonly string[] }
  /** Takes the request and says nothing: before the head of an answer, or after a part of its body. */
  | { readonly silent: "before" | "within" }
  /** Ends the connection instead. */
  | { readonly cut: "before" | "within" }
  /** Hands it on, and ends the connection instead of giving the answer back. */
  | { readonly lose: true }
  /** Forwards it after this delay, milliseconds. */
  | { readonly delayMs: number }
  /** Sends bytes until the client disconnects. */
  | { readonly endless: string };

/** Does it. `handOn` gives the invocation to its container. Resolves with the status that was answered, 0 for none. */
export async function behave(
  behavior: Behavior | undefined,
  response: ServerResponse,
  handOn: (how: { readonly lose: boolean }) => Promise<number>,
): Promise<number> {
  if (behavior === undefined) return handOn({ lose: false });
  if ("lose" in behavior) return handOn(behavior);
  if ("delayMs" in behavior) {
    await setTimeout(behavior.delayMs);
    return handOn({ lose: false });
  }
  if ("refuse" in behavior) {
    const status = behavior.refuse;
    refuse(response, { status, name: refusalByStatus[status], message: `told to answer ${status}` });
    return status;
  }
  if ("body" in behavior) {
    const { status = 200, contentType = "application/json", body } = behavior;
    response.writeHead(status, { "content-type": contentType });
    for (const chunk of typeof body === "string" ? [body] : body) {
      response.write(chunk);
      await setTimeout(2);
    }
    response.end();
    return status;
  }
  if ("endless" in behavior) {
    response.writeHead(200, { "content-type": behavior.endless });
    const timer = setInterval(() => response.write("x".repeat(1_000)), 1);
    response.once("close", () => clearInterval(timer));
    return 200;
  }
  const where = "cut" in behavior ? behavior.cut : behavior.silent;
  if (where === "within") {
    response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
    response.write("{");
    await setTimeout(5);
  }
  if ("cut" in behavior) response.destroy();
  return 0;
}
