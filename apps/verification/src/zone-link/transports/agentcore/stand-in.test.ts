import { BedrockAgentCoreClient, InvokeAgentRuntimeCommand } from "@aws-sdk/client-bedrock-agentcore";
import { startAgentCoreStandIn } from "@crosszone/testkit";
import { describe, expect, test } from "vitest";
import { startAgentCore } from "../../../testing/start-agentcore.ts";

/** The stand-in refuses what AgentCore refuses. Only the SDK can show that, so this test is not in the stand-in's package. */
const payload = Buffer.from("{}");
const session = "0f8fad5b-d9cb-469f-a165-70867728950e";

describe("the stand-in for AgentCore", () => {
  test("passes only the headers to the container that AgentCore passes on and the runtime allows", async () => {
    const zone = await startAgentCore({ standIn: { allowedHeaders: ["X-Tenant"] } });
    const { credentials, url: endpoint, runtimeArn: agentRuntimeArn } = zone.aws;
    const sdk = new BedrockAgentCoreClient({ credentials, endpoint, region: "eu-central-1" });
    sdk.middlewareStack.add(
      (next) => (call) => {
        const { headers } = call.request as { headers: Record<string, string> };
        Object.assign(headers, { "x-tenant": "t", "x-correlation-id": "c", cookie: "a=b" });
        return next(call);
      },
      { step: "build" },
    );
    const command = new InvokeAgentRuntimeCommand({
      agentRuntimeArn,
      payload,
      runtimeSessionId: session,
      baggage: "a=b",
    });
    await sdk.send(command);
    sdk.destroy();
    const names = Object.keys(zone.received[0]?.headers ?? {});
    const own = ["host", "connection", "content-length"];
    expect(names.filter((name) => !own.includes(name)).toSorted()).toEqual([
      "baggage",
      "content-type",
      "x-amzn-bedrock-agentcore-runtime-request-id",
      "x-amzn-bedrock-agentcore-runtime-session-id",
      "x-tenant",
    ]);
    for (const header of ["Authorization", "X-Amz-Date", "x-amzn-request", "Cookie", "X-Forwarded-For"])
      await expect(startAgentCoreStandIn({ container: () => "", allowedHeaders: [header] })).rejects.toThrow(
        "does not accept",
      );
  });
});
