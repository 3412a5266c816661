import { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse, request as send } from "node:http";
import { buffer } from "node:stream/consumers";
import { type AwsRefusal, behave, type Behavior, ping, readInvocation, refuse, sessionHeader } from "./invocation.ts";
import { signatureProblem, type AwsCredentials } from "./signature.ts";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { pipeline } from "node:stream/promises";
import { listen } from "../servers/listen.ts";

export interface StandInOptions {
  /** Where the container of a session listens. Asked once a session. */
  readonly container: (session: string) => string;
  readonly runtimeArn?: string;
  readonly credentials?: AwsCredentials;
  /** The endpoints of the runtime. Default: `DEFAULT` alone. */
  readonly qualifiers?: readonly string[];
  /** Headers of the caller that the container gets too. At most 20, none that AgentCore keeps for itself. */
  readonly allowedHeaders?: readonly string[];
  /** Unix milliseconds. */
  readonly now?: () => number;
  /** Largest payload, bytes. Default 100 MB, as AgentCore has it. */
  readonly largestPayload?: number;
  /** Whether a call is among `calls`, and gets a behavior of `next`. Default: each is. */
  readonly records?: (payload: Buffer) => boolean;
}

/** A call as it came and how it was answered, for a test to look at. */
export interface SeenCall {
  readonly session: string;
  readonly qualifier: string;
  readonly payload: Uint8Array;
  /** As they came, before anything was taken away. */
  readonly headers: IncomingHttpHeaders;
  /** 0 when there was no answer. */
  status: number;
  /** When it came, by `performance.now()`. */
  readonly at: number;
}

export type AgentCoreStandIn = Awaited<ReturnType<typeof startAgentCoreStandIn>>;

const defaults = {
  runtimeArn: "arn:aws:bedrock-agentcore:eu-central-1:123456789012:runtime/crosszone-A1b2C3d4E5",
  credentials: {
    accessKeyId: "AKIDSTANDIN",
    secretAccessKey: "a-secret-of-the-stand-in",
    sessionToken: "a-session/token==",
  },
  qualifiers: ["DEFAULT"],
  allowedHeaders: [],
  now: Date.now,
  // https://docs.aws.amazon.com/bedrock-agentcore/latest/devguide/bedrock-agentcore-limits.html
  largestPayload: 100 * 1024 * 1024,
};

/**
 * Plays the data plane of AWS Bedrock AgentCore on loopback: the operation `InvokeAgentRuntime`, for one runtime. It is strict. What
 * the real one refuses is refused here: a wrong signature, another ARN, a session id that is too short, too large a payload.
 */
export async function startAgentCoreStandIn(options: StandInOptions) {
  const runtime = { ...defaults, ...options };
  const { runtimeArn, credentials, qualifiers, allowedHeaders } = runtime;
  if (allowedHeaders.length > 20 || !allowedHeaders.every(mayBeAllowed))
    throw new TypeError("AgentCore does not accept this list of headers");
  const containers = new Map<string, string>();
  const calls: SeenCall[] = [];
  const refused: AwsRefusal[] = [];
  const planned: Behavior[] = [];

  function containerOf(session: string): string {
    const known = containers.get(session) ?? options.container(session);
    containers.set(session, known);
    return known;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const payload = await buffer(request);
    const problem = problemOf(request, payload, runtime);
    const invocation = problem ?? readInvocation(request, { runtimeArn, qualifiers });
    if ("status" in invocation) {
      refused.push(invocation);
      return refuse(response, invocation);
    }
    const { session } = invocation;
    const { headers } = request;
    const call: SeenCall = { ...invocation, payload, headers, status: 0, at: performance.now() };
    const isRecorded = options.records?.(payload) !== false;
    if (isRecorded) calls.push(call);
    call.status = await behave(isRecorded ? planned.shift() : undefined, response, async ({ lose }) => {
      const kept = containerHeaders(headers, session, allowedHeaders);
      return forward({ container: containerOf(session), headers: kept, payload, lose }, response);
    });
  }

  const server = await listen((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  return {
    /** Its `url` is what `AWS_ENDPOINT_URL_BEDROCK_AGENTCORE` is set to. */
    ...server,
    runtimeArn,
    credentials,
    /** Every call that was well signed, named this runtime and had a session, oldest first. */
    calls: calls as readonly SeenCall[],
    /** Those that were refused before that, oldest first. */
    refused: refused as readonly AwsRefusal[],
    /** What to do with the next calls, one each; after those, calls are handed on. */
    next: (...behaviors: readonly Behavior[]) => void planned.push(...behaviors),
    /** Asks the container of a session how it is. */
    ping: (session: string) => ping(containerOf(session)),
  };
}

/** Returns the refusal of a request with a wrong signature, or with too large a payload. */
function problemOf(
  request: IncomingMessage,
  payload: Uint8Array,
  { runtimeArn, credentials, now, largestPayload }: Required<Omit<StandInOptions, "records">>,
): AwsRefusal | undefined {
  const scope = { credentials, region: runtimeArn.split(":")[3] ?? "", service: "bedrock-agentcore", now: now() };
  const problem = signatureProblem(request, payload, scope);
  if (problem !== undefined) return { status: 403, ...problem };
  if (payload.byteLength <= largestPayload) return undefined;
  return { status: 400, name: "ValidationException", message: "the payload is too large" };
}

/** Headers that always reach the container. `Authorization` never does under SigV4. */
const passed: ReadonlySet<string> = new Set([
  "content-type",
  "accept",
  sessionHeader,
  "x-amzn-bedrock-agentcore-runtime-user-id",
  "x-amzn-trace-id",
  "traceparent",
  "tracestate",
  "baggage",
]);

/** Whether a header may be named in a runtime's `requestHeaderAllowlist`. */
function mayBeAllowed(name: string): boolean {
  const lower = name.toLowerCase();
  if (lower.startsWith("x-amzn-bedrock-agentcore-runtime-custom-")) return true;
  return !/^(authorization|cookie|host|link|via|x-forwarded-.*|x-amz-.*|x-amzn-.*)$/.test(lower);
}

/** The headers that the container gets. */
function containerHeaders(
  headers: IncomingHttpHeaders,
  session: string,
  allowed: readonly string[],
): Record<string, string> {
  const names = [...passed, ...allowed.map((name) => name.toLowerCase())];
  const kept = names.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])] as const]));
  return {
    ...Object.fromEntries(kept),
    [sessionHeader]: session,
    "x-amzn-bedrock-agentcore-runtime-request-id": randomUUID(),
  };
}

interface Forwarded {
  readonly container: string;
  readonly headers: Record<string, string>;
  readonly payload: Uint8Array;
  /** Ends the connection once the container has answered. */
  readonly lose: boolean;
}

/**
 * Hands an invocation to its container and its answer back, as a stream. A container that cannot be reached, or that answers
 * anything but 2xx, is 424. Whether the real AgentCore tells a container that the caller went away is not documented; this one does.
 */
async function forward({ container, headers, payload, lose }: Forwarded, response: ServerResponse): Promise<number> {
  const outgoing = send(new URL("/invocations", container), {
    method: "POST",
    headers: { ...headers, "content-length": payload.byteLength },
  });
  const leave = (): void => void outgoing.destroy();
  response.once("close", leave);
  try {
    outgoing.end(payload);
    const [answer] = (await once(outgoing, "response")) as [IncomingMessage];
    const { statusCode = 0 } = answer;
    if (statusCode < 200 || statusCode > 299) {
      answer.resume();
      return failed(response, `Received error (${statusCode}) from runtime. Please check your CloudWatch logs.`);
    }
    if (lose) {
      await buffer(answer);
      response.destroy();
      return 0;
    }
    response.writeHead(200, {
      ...(answer.headers["content-type"] !== undefined && { "content-type": answer.headers["content-type"] }),
      [sessionHeader]: headers[sessionHeader] ?? "",
      "x-amzn-requestid": randomUUID(),
    });
    await pipeline(answer, response);
    return 200;
  } catch {
    if (response.headersSent) response.destroy();
    else return failed(response, "The runtime could not be reached.");
    return 200;
  } finally {
    response.off("close", leave);
  }
}

function failed(response: ServerResponse, message: string): number {
  refuse(response, { status: 424, name: "RuntimeClientError", message });
  return 424;
}
