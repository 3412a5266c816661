import { Refusal } from "./start-control-plane.ts";

/** Forms and limits of the service's own model of `UpdateAgentRuntime` and its neighbors. */
const forms: Readonly<Record<string, RegExp>> = {
  agentRuntimeId: /^[a-zA-Z][a-zA-Z0-9_]{0,99}-[a-zA-Z0-9]{10}$/,
  agentRuntimeVersion: /^[1-9][0-9]{0,4}$/,
  clientToken: /^(?=.{33,256}$)[a-zA-Z0-9](-*[a-zA-Z0-9]){0,256}$/,
  containerUri:
    /^(([0-9]{12})\.dkr\.ecr\.([a-z0-9-]+)\.amazonaws\.com(\.cn)?|public\.ecr\.aws)\/((?:[a-z0-9]+(?:[._-][a-z0-9]+)*\/)*[a-z0-9]+(?:[._-][a-z0-9]+)*)(?::([^:@]{1,300}))?(?:@(.+))?$/,
  description: /^.{1,256}$/s,
  endpointName: /^[a-zA-Z][a-zA-Z0-9_]{0,47}$/,
  roleArn: /^arn:aws(-[^:]+)?:iam::([0-9]{12})?:role\/.+$/,
};

export const conflict = (message: string): Refusal => new Refusal(409, "ConflictException", { message });
export const notFound = (message: string): Refusal => new Refusal(404, "ResourceNotFoundException", { message });

export function invalid(name: string, message: string, reason = "FieldValidationFailed"): Refusal {
  return new Refusal(400, "ValidationException", {
    message: `${name}: ${message}`,
    reason,
    fieldList: [{ name, message }],
  });
}

/** A text of the form that the model has for it. Throws a `ValidationException`, also when it is missing. */
export function formed(name: string, value: unknown): string {
  if (typeof value !== "string") throw invalid(name, "Member must not be null");
  const form = forms[name] as RegExp;
  if (!form.test(value)) throw invalid(name, `Member must satisfy regular expression pattern: ${form.source}`);
  return value;
}

/** What an update of a runtime must have, and the limits of what it may have. */
export function checkUpdate(body: Record<string, unknown>): void {
  const { agentRuntimeArtifact, environmentVariables = {}, requestHeaderConfiguration } = body;
  if (agentRuntimeArtifact === undefined) throw invalid("agentRuntimeArtifact", "Member must not be null");
  const { containerConfiguration } = agentRuntimeArtifact as { containerConfiguration?: { containerUri?: unknown } };
  formed("containerUri", containerConfiguration?.containerUri);
  formed("roleArn", body["roleArn"]);
  if (body["clientToken"] !== undefined) formed("clientToken", body["clientToken"]);
  if (Object.keys(environmentVariables as object).length > 50) throw invalid("environmentVariables", "At most 50");
  const { requestHeaderAllowlist = [] } = (requestHeaderConfiguration ?? {}) as { requestHeaderAllowlist?: unknown[] };
  if (requestHeaderAllowlist.length > 20) throw invalid("requestHeaderAllowlist", "At most 20");
}
