import type { Server } from "node:http";
import type { Dialect } from "../messages.ts";

/** A server that is measured. */
export interface ServerUnderTest {
  title: string;
  dialect: Dialect;
  headers: Readonly<Record<string, string>>;
  create: () => Promise<Server>;
}

const token = "bench-token-of-at-least-32-characters";

/** All servers, by the name that `--only` takes. Each is loaded in its own process only. */
export const servers = {
  bare: {
    title: "node:http alone, unchecked",
    dialect: "execute_task",
    headers: {},
    create: async () => (await import("./bare.ts")).createBareServer(),
  },
  core: {
    title: "**crosszone core** on Express 5",
    dialect: "execute_task",
    headers: {},
    create: async () => (await import("./crosszone-core.ts")).createCoreServer(),
  },
  edge: {
    title: "**crosszone edge**: token, rate, size limits, log, metrics",
    dialect: "execute_task",
    headers: { authorization: `Bearer ${token}` },
    create: async () => (await import("./crosszone-edge.ts")).createEdgeServer(token),
  },
  execution: {
    title: "**crosszone execution zone**: the edge, and tasks in memory",
    dialect: "execute_task",
    headers: { authorization: `Bearer ${token}` },
    create: async () => (await import("./crosszone-execution.ts")).createExecutionServer(token),
  },
  "execution-sqlite": {
    title: "**crosszone execution zone**: tasks in SQLite, on the disk",
    dialect: "execute_task",
    headers: { authorization: `Bearer ${token}` },
    create: async () => (await import("./crosszone-execution.ts")).createDurableExecutionServer(token),
  },
  jayson: {
    title: "jayson 5 on Express 5",
    dialect: "execute_task",
    headers: {},
    create: async () => (await import("./jayson.ts")).createJaysonServer(),
  },
  "json-rpc-2.0": {
    title: "json-rpc-2.0 1.8 on Express 5",
    dialect: "execute_task",
    headers: {},
    create: async () => (await import("./json-rpc-2.0.ts")).createJsonRpc20Server(),
  },
  "a2a-message": {
    title: "@a2a-js/sdk 1.3 on Express 5, answers a message",
    dialect: "a2a",
    headers: { "a2a-version": "1.0" },
    create: async () => (await import("./a2a-sdk.ts")).createA2aServer("message"),
  },
  "a2a-task": {
    title: "@a2a-js/sdk 1.3 on Express 5, answers a task",
    dialect: "a2a",
    headers: { "a2a-version": "1.0" },
    create: async () => (await import("./a2a-sdk.ts")).createA2aServer("task"),
  },
} as const satisfies Record<string, ServerUnderTest>;

export type ServerName = keyof typeof servers;
export const serverNames = Object.keys(servers) as ServerName[];
