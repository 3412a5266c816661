import { FakeRuntime, runtimeId } from "./fake-runtime.ts";
import { formed, invalid } from "./runtime-rules.ts";
import { type ControlPlane, type PlaneRequest, startControlPlane } from "./start-control-plane.ts";

const operations: Readonly<Record<string, string>> = {
  [`GET /runtimes/${runtimeId}/`]: "GetAgentRuntime",
  [`PUT /runtimes/${runtimeId}/`]: "UpdateAgentRuntime",
  [`POST /runtimes/${runtimeId}/versions/`]: "ListAgentRuntimeVersions",
  [`GET /runtimes/${runtimeId}/runtime-endpoints/prod/`]: "GetAgentRuntimeEndpoint",
  [`PUT /runtimes/${runtimeId}/runtime-endpoints/prod/`]: "UpdateAgentRuntimeEndpoint",
};

/** Plays AgentCore's control plane for one runtime, as strictly as the service's model says. */
export async function startAgentCorePlane(
  settings: Readonly<Record<string, unknown>>,
): Promise<{ readonly plane: ControlPlane; readonly runtime: FakeRuntime }> {
  const runtime = new FakeRuntime(settings);
  const answered = new Map<string, { readonly body: string; readonly answer: unknown }>();

  /** The same token with the same request: the same answer, and nothing is done again. */
  function once(body: Readonly<Record<string, unknown>>, act: () => unknown): unknown {
    const token = formed("clientToken", body["clientToken"]);
    const before = answered.get(token);
    if (before && before.body !== JSON.stringify(body))
      throw invalid("clientToken", "used for another request", "IdempotentParameterMismatchException");
    const answer = before?.answer ?? act();
    answered.set(token, { body: JSON.stringify(body), answer });
    return answer;
  }

  const answers: Readonly<Record<string, (request: PlaneRequest) => unknown>> = {
    GetAgentRuntime: ({ query }) => runtime.read(query.get("version")),
    UpdateAgentRuntime: ({ body }) => once(body, () => runtime.update(body)),
    ListAgentRuntimeVersions: ({ query }) => runtime.list(query.get("nextToken")),
    GetAgentRuntimeEndpoint: () => runtime.readEndpoint(),
    UpdateAgentRuntimeEndpoint: ({ body }) => once(body, () => runtime.moveEndpoint(body)),
  };
  const plane = await startControlPlane({
    service: "bedrock-agentcore",
    operationOf: ({ method, path }) => operations[`${method} ${path}`],
    answer: (operation, request) => answers[operation]?.(request),
  });
  return { plane, runtime };
}
