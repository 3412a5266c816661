import type { Server } from "node:http";
import type { Engine } from "../kit/databases.ts";
import type { Dialect } from "./messages.ts";
import type { Auditing } from "./servers/ask.ts";

/** A server that is measured. */
export interface ServerUnderTest {
  readonly dialect: Dialect;
  readonly headers: Readonly<Record<string, string>>;
  /** `/rpc` when absent. */
  readonly path?: string;
  /** What keeps its tasks, if they survive a crash. */
  readonly engine?: Exclude<Engine, "memory">;
  /** Creates it on an empty database; `url` is empty without an engine. */
  readonly create: (url: string) => Promise<Server>;
}

/** The API token of a program. */
const askToken = "xz_bench-token-of-a-program-0123456789abcdef";
/** The bearer token of servers that check one. */
const token = "bench-token-of-at-least-32-characters";

const plain = { dialect: "execute_task", headers: {} } as const;
const withToken = { dialect: "execute_task", headers: { authorization: `Bearer ${token}` } } as const;
/** Keeps its tasks in rows by hand, or as the zone does. */
const row: Pick<ServerUnderTest, "dialect" | "headers" | "create"> = {
  ...plain,
  create: async (url) => (await import("./servers/plain.ts")).createRowServer(url),
};
const zone: typeof row = {
  ...withToken,
  create: async (url) => (await import("./servers/crosszone.ts")).createExecutionServer(token, url),
};
const a2a = { dialect: "a2a", headers: { "a2a-version": "1.0" } } as const;
const sdkOnPostgres = {
  ...a2a,
  engine: "postgres",
  create: async (url: string) => (await import("./servers/a2a-sdk.ts")).createA2aDatabaseServer(url),
} as const;
/** The listener for programs. In questions to `asks`, a person is asked: an act, which the audit log records. */
const ask = (engine: Exclude<Engine, "memory">, { agent = "prompt", auditing = "audited" }: AskVariant = {}) =>
  ({
    dialect: "a2a",
    headers: { ...a2a.headers, authorization: `Bearer ${askToken}` },
    path: `/a2a/${agent}`,
    engine,
    create: async (url: string) => (await import("./servers/ask.ts")).createAskServer(askToken, url, auditing),
  }) as const;

interface AskVariant {
  readonly agent?: "prompt" | "asks";
  readonly auditing?: Auditing;
}

/** The servers of the first table, by name. Each is loaded in its own process only. */
const compared = {
  bare: {
    ...plain,
    title: "node:http alone, unchecked",
    create: async () => (await import("./servers/plain.ts")).createBareServer(),
  },
  "row-sqlite": { ...row, title: "node:http, a row a task by hand, SQLite", engine: "sqlite" },
  "row-postgres": { ...row, title: "node:http, a row a task by hand, PostgreSQL", engine: "postgres" },
  core: {
    ...plain,
    title: "**core** on Express 5",
    create: async () => (await import("./servers/crosszone.ts")).createCoreServer(),
  },
  edge: {
    ...withToken,
    title: "**edge**: token, limits, log, metrics",
    create: async () => (await import("./servers/crosszone.ts")).createEdgeServer(token),
  },
  "zone-memory": {
    ...withToken,
    title: "**execution zone**: edge, tasks in memory",
    create: async () => (await import("./servers/crosszone.ts")).createExecutionServer(token, "sqlite::memory:"),
  },
  "execution-sqlite": { ...zone, title: "**execution zone**: edge, tasks on SQLite", engine: "sqlite" },
  "execution-postgres": { ...zone, title: "**execution zone**: edge, tasks on PostgreSQL", engine: "postgres" },
  jayson: {
    ...plain,
    title: "jayson 5 on Express 5",
    create: async () => (await import("./servers/plain.ts")).createJaysonServer(),
  },
  "a2a-task": {
    ...a2a,
    title: "@a2a-js/sdk 1.3 on Express 5, tasks in memory",
    create: async () => (await import("./servers/a2a-sdk.ts")).createA2aServer(),
  },
  "a2a-postgres": { ...sdkOnPostgres, title: "@a2a-js/sdk 1.3 on Express 5, tasks in its own store on PostgreSQL" },
} as const satisfies Record<string, ServerUnderTest & { readonly title: string }>;

/** Servers for programs, which other tables compare. */
const forPrograms = {
  "a2a-postgres-get": { ...sdkOnPostgres, dialect: "a2a-get" },
  "ask-postgres": ask("postgres"),
  "ask-postgres-get": { ...ask("postgres"), dialect: "a2a-get" },
  "ask-sqlite": ask("sqlite"),
  "ask-sqlite-bare": ask("sqlite", { auditing: "unaudited" }),
  "ask-postgres-bare": ask("postgres", { auditing: "unaudited" }),
  "asks-sqlite": ask("sqlite", { agent: "asks" }),
  "asks-sqlite-bare": ask("sqlite", { agent: "asks", auditing: "unaudited" }),
  "asks-postgres": ask("postgres", { agent: "asks" }),
  "asks-postgres-bare": ask("postgres", { agent: "asks", auditing: "unaudited" }),
} as const;

export const servers = { ...compared, ...forPrograms };
export type ServerName = keyof typeof servers;

/** What keeps the tasks of a server. */
export const engineOf = (name: ServerName): Engine => (servers[name] as ServerUnderTest).engine ?? "memory";
export type ComparedName = keyof typeof compared;
export const comparedNames = Object.keys(compared) as ComparedName[];
