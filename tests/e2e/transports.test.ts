import { createBearerAuth, createRpcRoute } from "@crosszone/execution";
import { createInProcessTransport } from "@crosszone/jsonrpc";
import { close, createHttpServer, listen } from "@crosszone/service-kit";
import { transportContract } from "@crosszone/testkit";
import { createHttpsTransport, createStaticBearer } from "@crosszone/verification";
import { describe, expect, test } from "vitest";
import { connectAgentCore } from "../harness/connect-agentcore.ts";
import { startCrosszone } from "../harness/start-crosszone.ts";

transportContract("HTTP, verification's transport to execution's route", async (handle) => {
  const route = createRpcRoute({
    dispatch: (message, { correlationId, signal }) =>
      handle(message, {
        correlationId,
        session: "",
        signal: signal ?? new AbortController().signal,
      }) as Promise<string>,
    authenticator: createBearerAuth(["contract-token"], "verification"),
    maxBytes: 1 << 20,
    onRefused: () => {},
  });
  const server = createHttpServer((request, response) => void route(request, response));
  const { url } = await listen(server, { host: "127.0.0.1", port: 0 });
  const transport = createHttpsTransport({ url: `${url}/rpc`, credentials: createStaticBearer("contract-token") });
  return {
    transport,
    stop: async () => {
      await transport.close();
      await close(server, { deadlineMs: 100 });
    },
  };
});

transportContract("AgentCore, the AWS SDK to execution's route", connectAgentCore);

transportContract("in-process", async (handle) => {
  const transport = createInProcessTransport(handle);
  return { transport, stop: () => transport.close() };
});

describe("Z10: the zones work the same over either", () => {
  test.each(["https", "agentcore", "in-process"] as const)("%s", async (link) => {
    const zones = await startCrosszone({ link, limits: { syncWindowMs: 100 } });
    expect((await zones.answerTo(zones.write({ text: "2+2" }))).markdown_text).toContain("4");
    expect((await zones.answerTo(zones.write({ text: "slow 1 finished" }))).markdown_text).toContain("finished");
    expect((await zones.answerTo(zones.write({ text: "agents" }))).markdown_text).toContain("builtin");
  });
});
