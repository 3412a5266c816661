import { type ConfigValues, groupOf, list, secret, url, variable } from "@crosszone/service-kit";
import { z } from "zod";

/** Never one that proves who sends: those are kept secret, and have variables of their own. */
const header = z
  .string()
  .regex(/^(?!(authorization|cookie|proxy-)[^=]*=)[a-z0-9-]+=[\x20-\x7e]+$/i, { error: "it is not name=value" })
  .transform((text): [string, string] => [
    text.slice(0, text.indexOf("=")).toLowerCase(),
    text.slice(text.indexOf("=") + 1),
  ])
  .describe("name=value, and is no secret");

/** The transports to execution, and the addresses that each of them takes. `transports.ts` makes them. */
const addresses = {
  agentcore: z.string().refine(isRuntimeArn),
  https: url(),
};

export type TransportName = keyof typeof addresses;

/** Returns the transport to an address; https if the address could not be read. */
export function transportTo(address = ""): TransportName {
  const names = Object.keys(addresses) as TransportName[];
  return names.find((name) => addresses[name].safeParse(address).success) ?? "https";
}

const executionAddress = z
  .union(Object.values(addresses), { error: "it is neither a URL nor the ARN of a runtime" })
  .describe("an absolute URL that starts with http: or https:, or the ARN of an AgentCore runtime");

/** How verification reaches execution. The AWS SDK finds its credentials in its own variables. */
export const linkVariables = {
  ...groupOf("Reach the execution zone", {
    EXECUTION_URL: variable(executionAddress, { default: "http://127.0.0.1:4000/rpc" })`
      URL of the execution zone, or the ARN of its runtime or runtime endpoint on AWS Bedrock AgentCore. Another machine needs
      https:. {session} in a query becomes the session of a task.`,
    EXECUTION_TOKEN: variable(list(secret(32)).optional(), { secret: true })`
      Token for execution, the same value as there. EXECUTION_CREDENTIALS=hmac signs each request with it. Verification uses
      the first of several. It rereads the file on a change.`,
    AWS_ENDPOINT_URL_BEDROCK_AGENTCORE: variable(url().optional())`
      URL of a private endpoint of AgentCore, for the AWS SDK. If unset, it is the public endpoint of AWS. Another machine
      needs https:.`,
    EXECUTION_HEADERS: variable(list(header).optional(), { example: "foundry-features=HostedAgents=V1Preview" })`
      Extra headers for each request to execution, as name=value. Some hosts require them. Not for secrets.`,
  }),
};

export type LinkSettings = ConfigValues<typeof linkVariables>;

/**
 * The ARN of an AgentCore runtime, or of an endpoint of it: partition, region, account, the runtime's name and ten characters, the endpoint's
 * name. https://docs.aws.amazon.com/bedrock-agentcore/latest/APIReference/API_InvokeAgentRuntime.html
 */
const runtimeArn =
  /^arn:aws(?:-[a-z]+)*:bedrock-agentcore:([a-z]{2}(?:-[a-z]+)+-\d):\d{12}:runtime\/[A-Za-z]\w{0,47}-[A-Za-z0-9]{10}(?:\/runtime-endpoint\/([A-Za-z]\w{0,47}))?$/;

export function isRuntimeArn(text: string): boolean {
  return runtimeArn.test(text);
}

/** Returns the parts of a runtime's ARN; without a `qualifier`, AWS calls DEFAULT. Throws a `TypeError` if `arn` is not such an ARN. */
export function readRuntimeArn(arn: string): { region: string; runtimeArn: string; qualifier?: string } {
  const [, region, qualifier] = runtimeArn.exec(arn) ?? [];
  if (region === undefined) throw new TypeError("Expected the ARN of an AgentCore runtime");
  return { region, runtimeArn: arn.replace(/\/runtime-endpoint.*/, ""), qualifier };
}
