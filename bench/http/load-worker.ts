import type { Socket } from "node:net";
import { serveCommands } from "../kit/commands.ts";
import {
  acknowledgedUntilClosed,
  openSockets,
  requestTemplate,
  runClosedLoop,
  type LoadResult,
  type LoadStyle,
  type Until,
} from "./closed-loop.ts";
import { requestText, type Dialect } from "./messages.ts";

export interface LoadRequest {
  readonly dialect: Dialect;
  readonly headers: Readonly<Record<string, string>>;
  /** For `GetTask`. */
  readonly taskId?: string | undefined;
}

/** The load on a server: which requests, and how long. */
export interface LoadOrder extends LoadRequest, LoadStyle {
  readonly until: Until;
}

let url: URL;
let sockets: Socket[] = [];
const templateOf = ({ dialect, headers, taskId }: LoadRequest) =>
  requestTemplate(url, headers, requestText(dialect, taskId));

/** The process of the load; it stays the same for all servers. */
serveCommands({
  open: async (to: { url: string; connections: number }): Promise<void> => {
    url = new URL(to.url);
    sockets = await openSockets(url, to.connections);
  },
  run: (order: LoadOrder): Promise<LoadResult> => runClosedLoop(sockets, templateOf(order), order),
  /** Goes on until the server closes the connections; returns the ids of the tasks that it acknowledged. */
  runUntilClosed: (order: LoadRequest): Promise<string[]> => acknowledgedUntilClosed(sockets, templateOf(order)),
  close: (): void => {
    for (const socket of sockets) socket.destroy();
  },
});
