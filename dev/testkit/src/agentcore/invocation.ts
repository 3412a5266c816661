import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { AwsRefusal } from "./aws-refusal.ts";

/** A call that the stand-in understood. */
export interface Invocation {
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
