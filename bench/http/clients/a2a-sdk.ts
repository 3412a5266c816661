import { Role, type SendMessageRequest } from "@a2a-js/sdk";
import { ClientFactory } from "@a2a-js/sdk/client";
import { agentCard } from "../../agents/agent-card.ts";
import { paramsOf } from "../../requests/messages.ts";
import type { BenchClient, ClientOptions } from "../clients.ts";

/** The client of @a2a-js/sdk as its factory makes it: `SendMessage` over the global fetch. */
export async function createA2aClient({ url }: ClientOptions): Promise<BenchClient> {
  const client = await new ClientFactory().createFromAgentCard(agentCard(url));
  const { text } = paramsOf("300 B");
  return {
    call: async () => {
      const answer = await client.sendMessage(request(text));
      const content = "parts" in answer ? answer.parts[0]?.content : undefined;
      return content?.$case === "text" ? content.value : undefined;
    },
    close: async () => undefined,
  };
}

function request(text: string): SendMessageRequest {
  const part = { content: { $case: "text" as const, value: text }, metadata: undefined, filename: "", mediaType: "" };
  return {
    tenant: "",
    message: {
      messageId: crypto.randomUUID(),
      contextId: "",
      taskId: "",
      role: Role.ROLE_USER,
      parts: [part],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    },
    configuration: undefined,
    metadata: undefined,
  };
}
