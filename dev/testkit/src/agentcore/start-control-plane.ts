import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { serve } from "../servers/temporary.ts";
import { signatureProblem } from "./signature.ts";

/** What every request has to be signed with. */
export const credentials = {
  accessKeyId: "AKIDCONTROLPLANE",
  secretAccessKey: "a-secret-of-the-control-plane",
  sessionToken: "a-session/token==",
};

/** A request as it came, with its body read. */
export interface PlaneRequest {
  readonly method: string;
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
export type Trouble = { readonly refuse: Refusal; readonly headers?: Record<string, string> } | "lose the answer";

export interface ControlPlane {
  readonly url: string;
  /** Plans trouble, one for each of the next requests that `when` names. */
  readonly trouble: (when: string, ...troubles: readonly Trouble[]) => void;
}

export interface PlaneOptions {
  /** The name by which the service is signed for. */
  readonly service: string;
  /** Returns the name of a request's operation; nothing if it has none. */
  readonly operationOf: (request: PlaneRequest) => string | undefined;
  readonly answer: (operation: string, request: PlaneRequest) => unknown;
}

/** Serves the control plane of an AWS service on loopback until the test ends. Checks the signature of each request. */
export async function startControlPlane(options: PlaneOptions): Promise<ControlPlane> {
  const planned = new Map<string, Trouble[]>();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await buffer(request);
    const problem = signatureProblem(request, bytes, {
      service: options.service,
      region: "eu-central-1",
      credentials,
      now: Date.now(),
    });
    if (problem) return refuse(response, new Refusal(403, problem.name, { message: problem.message }));
    const asked = readRequest(request, bytes);
    const operation = options.operationOf(asked);
    if (operation === undefined)
      return refuse(response, new Refusal(404, "UnknownOperationException", { message: "no such operation" }));
    const trouble = planned.get(operation)?.shift();
    if (typeof trouble === "object") return refuse(response, trouble.refuse, trouble.headers);
    const body = options.answer(operation, asked);
    if (trouble === "lose the answer") return void response.destroy();
    respond(response, { status: 200, body });
  }

  const url = await serve((request, response) => {
    answer(request, response).catch((error: unknown) =>
      refuse(response, error instanceof Refusal ? error : new Refusal(500, "Bug", { message: String(error) })),
    );
  });
  return {
    url,
    trouble: (when, ...troubles) => void planned.set(when, [...(planned.get(when) ?? []), ...troubles]),
  };
}

function readRequest({ method = "", url = "" }: IncomingMessage, bytes: Uint8Array): PlaneRequest {
  const { pathname, searchParams } = new URL(url, "http://plane");
  const text = new TextDecoder().decode(bytes);
  return {
    method,
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
