/**
 * The ARN of an AgentCore runtime: partition, region, account, then the runtime's name and ten characters.
 * https://docs.aws.amazon.com/bedrock-agentcore/latest/APIReference/API_InvokeAgentRuntime.html
 */
const runtimeArn =
  /^arn:aws(?:-[a-z]+)*:bedrock-agentcore:([a-z]{2}(?:-[a-z]+)+-\d):\d{12}:runtime\/[A-Za-z]\w{0,47}-[A-Za-z0-9]{10}$/;

export function isRuntimeArn(text: string): boolean {
  return runtimeArn.test(text);
}

/** Returns the region of a runtime. Throws a `TypeError` if `arn` is not the ARN of a runtime. */
export function regionOf(arn: string): string {
  const [, region] = runtimeArn.exec(arn) ?? [];
  if (region === undefined) throw new TypeError("Expected the ARN of an AgentCore runtime");
  return region;
}
