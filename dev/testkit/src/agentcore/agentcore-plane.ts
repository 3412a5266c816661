import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { serve } from "../servers/temporary.ts";
import { signatureProblem } from "./signature.ts";

const runtimeId = "crosszone_execution-A1b2C3d4E5";
export const runtimeArn: string = `arn:aws:bedrock-agentcore:eu-central-1:123456789012:runtime/${runtimeId}`;

const operations: Readonly<Record<string, string>> = {
  [`GET /runtimes/${runtimeId}/`]: "GetAgentRuntime",
  [`PUT /runtimes/${runtimeId}/`]: "UpdateAgentRuntime",
  [`POST /runtimes/${runtimeId}/versions/`]: "ListAgentRuntimeVersions",
  [`GET /runtimes/${runtimeId}/runtime-endpoints/prod/`]: "GetAgentRuntimeEndpoint",
  [`PUT /runtimes/${runtimeId}/runtime-endpoints/prod/`]: "UpdateAgentRuntimeEndpoint",
};

/** Plays AgentCore's control plane for one runtime on loopback, as strictly as the service's model says. Ends with the test. */
export async function startAgentCorePlane(settings: Readonly<Record<string, unknown>>) {
  const runtime = new FakeRuntime(settings);
  const answered = new Map<string, { readonly body: string; readonly answer: unknown }>();

  /** The same token with the same request: the same answer, and nothing is done again. */
  function once(body: Readonly<Record<string, unknown>>, act: () => unknown): unknown {
    const token = formed("clientToken", body["clientToken"]);
    const before = answered.get(token);
    if (before && before.body !== JSON.stringify(body))
      throw invalid("clientToken", "used for another request", "IdempotentParameterMismatchException");
    const outcome = before?.answer ?? act();
    answered.set(token, { body: JSON.stringify(body), answer: outcome });
    return outcome;
  }

  const answers: Readonly<Record<string, (request: PlaneRequest) => unknown>> = {
    GetAgentRuntime: ({ query }) => runtime.read(query.get("version")),
    UpdateAgentRuntime: ({ body }) => once(body, () => runtime.update(body)),
    ListAgentRuntimeVersions: ({ query }) => runtime.list(query.get("nextToken")),
    GetAgentRuntimeEndpoint: () => runtime.readEndpoint(),
    UpdateAgentRuntimeEndpoint: ({ body }) => once(body, () => runtime.moveEndpoint(body)),
  };
  const planned = new Map<string, Trouble[]>();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await buffer(request);
    const scope = { service: "bedrock-agentcore", region: "eu-central-1", credentials, now: Date.now() };
    const problem = signatureProblem(request, bytes, scope);
    if (problem) return refuse(response, new Refusal(403, problem.name, { message: problem.message }));
    const asked = readRequest(request, bytes);
    const operation = operations[`${request.method} ${asked.path}`];
    if (operation === undefined)
      return refuse(response, new Refusal(404, "UnknownOperationException", { message: "no such operation" }));
    const trouble = planned.get(operation)?.shift();
    if (typeof trouble === "object") return refuse(response, trouble.refuse, trouble.headers);
    const body = answers[operation]?.(asked);
    if (trouble === "lose the answer") return void response.destroy();
    respond(response, { status: 200, body });
  }

  const url = await serve((request, response) => {
    answer(request, response).catch((error: unknown) =>
      refuse(response, error instanceof Refusal ? error : new Refusal(500, "Bug", { message: String(error) })),
    );
  });
  /** Plans trouble, one for each of the next requests that `when` names. */
  const trouble = (when: string, ...troubles: readonly Trouble[]) =>
    void planned.set(when, [...(planned.get(when) ?? []), ...troubles]);
  return { plane: { url, trouble }, runtime };
}

/** What every request has to be signed with. */
export const credentials = {
  accessKeyId: "AKIDCONTROLPLANE",
  secretAccessKey: "a-secret-of-the-control-plane",
  sessionToken: "a-session/token==",
};

/** A request as it came, with its body read. */
interface PlaneRequest {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Record<string, unknown>;
}

/** An error of the service. */
export class Refusal extends Error {
  readonly status: number;
  readonly kind: string;
  readonly members: Record<string, unknown>;

  constructor(status: number, kind: string, members: Record<string, unknown>) {
    super(String(members["message"]));
    this.status = status;
    this.kind = kind;
    this.members = members;
  }
}

/** What happens to the next request instead of its answer: refused with a status and headers, or the answer is lost on the way. */
type Trouble = { readonly refuse: Refusal; readonly headers?: Record<string, string> } | "lose the answer";

function readRequest({ url = "" }: IncomingMessage, bytes: Uint8Array): PlaneRequest {
  const { pathname, searchParams } = new URL(url, "http://plane");
  const text = new TextDecoder().decode(bytes);
  return {
    path: pathname,
    query: searchParams,
    body: text === "" ? {} : (JSON.parse(text) as Record<string, unknown>),
  };
}

/** The error shape of restJson1: the kind in a header and in the body. */
function refuse(
  response: ServerResponse,
  { status, kind, members }: Refusal,
  headers: Record<string, string> = {},
): void {
  respond(response, { status, body: { __type: kind, ...members }, headers: { "x-amzn-errortype": kind, ...headers } });
}

function respond(
  response: ServerResponse,
  { status, body, headers = {} }: { status: number; body: unknown; headers?: Record<string, string> },
): void {
  response.writeHead(status, { "content-type": "application/json", "x-amzn-requestid": randomUUID(), ...headers });
  response.end(JSON.stringify(body));
}

/** Forms of the service's own model of `UpdateAgentRuntime` and its neighbors. */
const forms: Readonly<Record<string, RegExp>> = {
  agentRuntimeVersion: /^[1-9][0-9]{0,4}$/,
  clientToken: /^(?=.{33,256}$)[a-zA-Z0-9](-*[a-zA-Z0-9]){0,256}$/,
  containerUri:
    /^(([0-9]{12})\.dkr\.ecr\.([a-z0-9-]+)\.amazonaws\.com(\.cn)?|public\.ecr\.aws)\/((?:[a-z0-9]+(?:[._-][a-z0-9]+)*\/)*[a-z0-9]+(?:[._-][a-z0-9]+)*)(?::([^:@]{1,300}))?(?:@(.+))?$/,
  description: /^.{1,256}$/s,
  roleArn: /^arn:aws(-[^:]+)?:iam::([0-9]{12})?:role\/.+$/,
};

export const conflict = (message: string): Refusal => new Refusal(409, "ConflictException", { message });
const notFound = (message: string): Refusal => new Refusal(404, "ResourceNotFoundException", { message });

function invalid(name: string, message: string, reason = "FieldValidationFailed"): Refusal {
  return new Refusal(400, "ValidationException", {
    message: `${name}: ${message}`,
    reason,
    fieldList: [{ name, message }],
  });
}

/** A text of the form that the model has for it. Throws a `ValidationException`, also when it is missing. */
function formed(name: string, value: unknown): string {
  if (typeof value !== "string") throw invalid(name, "Member must not be null");
  const form = forms[name] as RegExp;
  if (!form.test(value)) throw invalid(name, `Member must satisfy regular expression pattern: ${form.source}`);
  return value;
}

/** What an update of a runtime must have. */
function checkUpdate({ agentRuntimeArtifact, roleArn, clientToken }: Record<string, unknown>): void {
  if (agentRuntimeArtifact === undefined) throw invalid("agentRuntimeArtifact", "Member must not be null");
  const { containerConfiguration } = agentRuntimeArtifact as { containerConfiguration?: { containerUri?: unknown } };
  formed("containerUri", containerConfiguration?.containerUri);
  formed("roleArn", roleArn);
  if (clientToken !== undefined) formed("clientToken", clientToken);
}

type Body = Readonly<Record<string, unknown>>;

/** The outcome of a new version, or of a move of the endpoint: after a few reads, or never. */
type Course = "ends well" | "never ends" | { readonly fails: string };

interface Version {
  readonly settings: Body;
  readonly course: Course;
  status: string;
  failureReason?: string;
  reads: number;
}

const times = { createdAt: "2026-01-01T00:00:00Z", lastUpdatedAt: "2026-01-01T00:00:00Z" };
/** Reads after which something that is under way ends. */
const readsToEnd = 2;

/** A runtime of AgentCore and its endpoint `prod`. Its first version is live. An update replaces all settings. */
class FakeRuntime {
  readonly versions: Version[];
  readonly endpoint: { liveVersion: string; targetVersion: string; status: string; description?: string } = {
    liveVersion: "1",
    targetVersion: "1",
    status: "READY",
    description: "for verification",
  };
  /** What happens to the next versions and moves, one each; after those, all end well. */
  readonly nextVersions: Course[] = [];
  readonly nextMoves: Course[] = [];
  #move: { readonly course: Course; reads: number } | undefined;

  constructor(settings: Body) {
    this.versions = [{ settings, status: "READY", reads: 0, course: "ends well" }];
  }

  update(body: Body): unknown {
    checkUpdate(body);
    const settings: Record<string, unknown> = { ...body };
    delete settings["clientToken"];
    if (this.versions.some(({ status }) => status === "UPDATING")) throw conflict("The runtime is being updated");
    const version = { settings, status: "UPDATING", reads: 0, course: this.nextVersions.shift() ?? "ends well" };
    this.versions.push(version);
    return this.#describe(version);
  }

  /** A version as `GetAgentRuntime` tells it; the read may bring it to its end. */
  read(number: string | null): unknown {
    const version = number === null ? this.versions.at(-1) : this.#version(number);
    if (version === undefined) throw notFound(`no version ${number}`);
    if (version.status === "UPDATING" && version.course !== "never ends" && ++version.reads >= readsToEnd) {
      version.status = version.course === "ends well" ? "READY" : "UPDATE_FAILED";
      if (typeof version.course === "object") version.failureReason = version.course.fails;
    }
    const { settings, failureReason } = version;
    return { ...settings, ...this.#describe(version), workloadIdentityDetails: {}, failureReason };
  }

  /** Two versions a page, newest first. */
  list(nextToken: string | null): unknown {
    const offset = Number(nextToken ?? 0);
    const agentRuntimes = this.versions.toReversed().slice(offset, offset + 2);
    const isLast = offset + 2 >= this.versions.length;
    return {
      agentRuntimes: agentRuntimes.map((version) => this.#describe(version)),
      ...(!isLast && { nextToken: String(offset + 2) }),
    };
  }

  readEndpoint(): unknown {
    const move = this.#move;
    if (move === undefined || move.course === "never ends" || ++move.reads < readsToEnd)
      return this.#describeEndpoint();
    this.#move = undefined;
    const failureReason = typeof move.course === "object" ? move.course.fails : undefined;
    this.endpoint.status = failureReason === undefined ? "READY" : "UPDATE_FAILED";
    if (failureReason === undefined) this.endpoint.liveVersion = this.endpoint.targetVersion;
    return { ...this.#describeEndpoint(), failureReason };
  }

  moveEndpoint({ agentRuntimeVersion, description }: Body): unknown {
    const targetVersion = formed("agentRuntimeVersion", agentRuntimeVersion);
    const version = this.#version(targetVersion);
    if (version === undefined) throw notFound(`no version ${targetVersion}`);
    if (version.status !== "READY") throw invalid("agentRuntimeVersion", `the version is ${version.status}`);
    if (this.endpoint.status === "UPDATING") throw conflict("The endpoint is being updated");
    delete this.endpoint.description;
    if (description !== undefined) this.endpoint.description = formed("description", description);
    Object.assign(this.endpoint, { status: "UPDATING", targetVersion });
    this.#move = { course: this.nextMoves.shift() ?? "ends well", reads: 0 };
    return this.#describeEndpoint();
  }

  #version(number: string): Version | undefined {
    return this.versions[Number(formed("agentRuntimeVersion", number)) - 1];
  }

  #describe(version: Version): Body {
    const agentRuntimeVersion = String(this.versions.indexOf(version) + 1);
    const names = { agentRuntimeArn: runtimeArn, agentRuntimeId: runtimeId, agentRuntimeName: "crosszone_execution" };
    return { ...names, ...times, agentRuntimeVersion, status: version.status };
  }

  #describeEndpoint(): Body {
    const agentRuntimeEndpointArn = `${runtimeArn}/runtime-endpoint/prod`;
    return {
      ...this.endpoint,
      ...times,
      agentRuntimeArn: runtimeArn,
      agentRuntimeEndpointArn,
      id: "prod",
      name: "prod",
    };
  }
}
