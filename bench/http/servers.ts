import type { Server } from "node:http";
import type { Dialect } from "../requests/messages.ts";

/** A server that is measured. */
export interface ServerUnderTest {
  readonly title: string;
  readonly dialect: Dialect;
  readonly headers: Readonly<Record<string, string>>;
  readonly create: () => Promise<Server>;
}

/** The bearer token of servers that check one. */
export const token = "bench-token-of-at-least-32-characters";

const plain = { dialect: "execute_task", headers: {} } as const;
export const withToken = { dialect: "execute_task", headers: { authorization: `Bearer ${token}` } } as const;
const a2a = { dialect: "a2a", headers: { "a2a-version": "1.0" } } as const;

/** All servers, by the name that `--only` accepts. Each is loaded in its own process only. */
export const servers = {
  bare: {
    ...plain,
    title: "node:http alone, unchecked",
    create: async () => (await import("./servers/plain-servers.ts")).createBareServer(),
  },
  core: {
    ...plain,
    title: "**crosszone core** on Express 5",
    create: async () => (await import("./servers/crosszone-edge.ts")).createCoreServer(),
  },
  edge: {
    ...withToken,
    title: "**crosszone edge**: token, rate, size limits, log, metrics",
    create: async () => (await import("./servers/crosszone-edge.ts")).createEdgeServer(token),
  },
  execution: {
    ...withToken,
    title: "**crosszone execution zone**: the edge, and tasks in memory",
    create: async () => (await import("./servers/crosszone-execution.ts")).createExecutionServer(token),
  },
  "execution-sqlite": {
    ...withToken,
    title: "**crosszone execution zone**: tasks in SQLite, on the disk",
    create: async () => (await import("./servers/crosszone-execution.ts")).createDurableExecutionServer(token),
  },
  jayson: {
    ...plain,
    title: "jayson 5 on Express 5",
    create: async () => (await import("./servers/plain-servers.ts")).createJaysonServer(),
  },
  "json-rpc-2.0": {
    ...plain,
    title: "json-rpc-2.0 1.8 on Express 5",
    create: async () => (await import("./servers/plain-servers.ts")).createJsonRpc20Server(),
  },
  "a2a-message": {
    ...a2a,
    title: "@a2a-js/sdk 1.3 on Express 5, answers a message",
    create: async () => (await import("./servers/a2a-sdk.ts")).createA2aServer("message"),
  },
  "a2a-task": {
    ...a2a,
    title: "@a2a-js/sdk 1.3 on Express 5, answers a task",
    create: async () => (await import("./servers/a2a-sdk.ts")).createA2aServer("task"),
  },
} as const satisfies Record<string, ServerUnderTest>;

export type ServerName = keyof typeof servers;
export const serverNames = Object.keys(servers) as ServerName[];
