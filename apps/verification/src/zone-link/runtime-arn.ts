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
  return { region, runtimeArn: arn.replace(/\/runtime-endpoint.*/, ""), ...(qualifier !== undefined && { qualifier }) };
}
