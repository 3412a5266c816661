import type { SendMessageRequest } from "@a2a-js/sdk";
import type { ZoneMethods } from "@crosszone/contracts";
import { agentCard } from "../agents/dialects.ts";
import { paramsOf } from "./messages.ts";

/** A client that is measured. */
export interface BenchClient {
  /** Makes one call and returns the text of the answer. */
  readonly call: () => Promise<string | undefined>;
  readonly close: () => Promise<void>;
}

export interface ClientOptions {
  /** The server's RPC endpoint. */
  readonly url: string;
  readonly connections: number;
}

type Create = (options: ClientOptions) => Promise<BenchClient>;

const params = paramsOf("300 B");
const headers = { "content-type": "application/json" };

const toRequest = (): string =>
  JSON.stringify({ jsonrpc: "2.0", method: "execute_task", params, id: crypto.randomUUID() });

/** The answer's text, unchecked. */
const textOfAnswer = (answer: unknown): string | undefined =>
  (answer as { result?: { response_text?: string } }).result?.response_text;

/** Our client over the verification zone's transport: checks parameters, id and result; has a timeout for each call. */
const createOurClient: Create = async ({ url, connections }) => {
  const { zoneMethods } = await import("@crosszone/contracts");
  const { createClient } = await import("@crosszone/jsonrpc");
  const { createHttpsTransport } = await import("@crosszone/verification");
  const transport = createHttpsTransport({ url, connections });
  const client = createClient<ZoneMethods>({ methods: zoneMethods, transport, timeoutMs: 10_000 });
  return {
    call: async () => {
      const result = await client.call("execute_task", params);
      return result.status === "success" ? result.response_text : undefined;
    },
    close: () => transport.close(),
  };
};

/** undici's pool and JSON, nothing else: the least that a client on it can cost. */
const createPoolClient: Create = async ({ url, connections }) => {
  const { Pool } = await import("undici");
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections });
  return {
    call: async () => {
      const { body } = await pool.request({ method: "POST", path: pathname, headers, body: toRequest() });
      return textOfAnswer(await body.json());
    },
    close: () => pool.close(),
  };
};

/** Node's fetch and JSON. It keeps connections on its own. */
const createFetchClient: Create = async ({ url }) => ({
  call: async () => {
    const response = await fetch(url, { method: "POST", headers, body: toRequest() });
    return textOfAnswer(await response.json());
  },
  close: async () => undefined,
});

/** jayson's HTTP client, with an agent that keeps connections: without one it is slower still. */
const createJaysonClient: Create = async ({ url, connections }) => {
  const { Agent } = await import("node:http");
  const { default: jayson } = await import("jayson");
  const { hostname, port, pathname } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const client = jayson.Client.http({ hostname, port, path: pathname, agent });
  return {
    call: async () => {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      client.request("execute_task", params, (error: Error | null | undefined, answer: unknown) =>
        error ? reject(error) : resolve(answer),
      );
      return textOfAnswer(await promise);
    },
    close: async () => agent.destroy(),
  };
};

/** The client of @a2a-js/sdk as its factory makes it: `SendMessage` over the global fetch. */
const createA2aClient: Create = async ({ url }) => {
  const { Role } = await import("@a2a-js/sdk");
  const { ClientFactory } = await import("@a2a-js/sdk/client");
  const client = await new ClientFactory().createFromAgentCard(agentCard(url));
  const content = { $case: "text" as const, value: params.text };
  const parts = [{ content, metadata: undefined, filename: "", mediaType: "" }];
  const message = { contextId: "", taskId: "", role: Role.ROLE_USER, parts, metadata: undefined };
  const request = (): SendMessageRequest => ({
    tenant: "",
    message: { ...message, messageId: crypto.randomUUID(), extensions: [], referenceTaskIds: [] },
    configuration: undefined,
    metadata: undefined,
  });
  return {
    call: async () => {
      const answer = await client.sendMessage(request());
      const answered = "parts" in answer ? answer.parts[0]?.content : undefined;
      return answered?.$case === "text" ? answered.value : undefined;
    },
    close: async () => undefined,
  };
};

/** All clients, by name. Each loads its library in its own process only. */
export const clients = {
  "our-client": { title: "**crosszone client** over its HTTPS transport", create: createOurClient },
  "undici-pool": { title: "undici `Pool.request` and JSON alone", create: createPoolClient },
  "global-fetch": { title: "global `fetch` and JSON alone", create: createFetchClient },
  "jayson-client": { title: "jayson 5 client, kept connections", create: createJaysonClient },
  "a2a-client": { title: "@a2a-js/sdk 1.3 client", create: createA2aClient },
} as const satisfies Record<string, { title: string; create: Create }>;

export type ClientName = keyof typeof clients;
export const clientNames = Object.keys(clients) as ClientName[];
