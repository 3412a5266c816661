import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { Role } from "@a2a-js/sdk";
import { ClientFactory } from "@a2a-js/sdk/client";
import { createAgent } from "@crosszone/agent";
import express from "express";
import { expect, onTestFinished, test } from "vitest";

test("an agent runs below a path of an Express app, even behind a body parser", async () => {
  const app = express();
  const agentOf = (name: string) => createAgent({ name, description: "Echoes." }, ({ text }) => `${name}: ${text}`);
  app.use("/plain", agentOf("Plain").listener);
  app.use(express.json());
  app.use("/parsed", agentOf("Parsed").listener);
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  for (const [path, name] of [
    ["plain", "Plain"],
    ["parsed", "Parsed"],
  ]) {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${path}/`;
    const client = await new ClientFactory().createFromUrl(url);
    const content = { $case: "text" as const, value: "hi" };
    const part = { content, metadata: undefined, filename: "", mediaType: "" };
    const ids = { messageId: crypto.randomUUID(), contextId: "", taskId: "" };
    const message = {
      ...ids,
      role: Role.ROLE_USER,
      parts: [part],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    };
    const answer = await client.sendMessage({ tenant: "", message, configuration: undefined, metadata: undefined });
    expect(answer).toMatchObject({ artifacts: [{ parts: [{ content: { value: `${name}: hi` } }] }] });
  }
});
