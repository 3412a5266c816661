import type { Socket } from "node:net";
import { requestText, type Dialect, type SizeName } from "../messages.ts";
import { serveCommands } from "../process/serve-commands.ts";
import type { Until } from "../until.ts";
import { acknowledgedUntilClosed } from "./acknowledged-until-closed.ts";
import { openSockets, runClosedLoop, type LoadResult, type LoadStyle } from "./closed-loop.ts";
import { requestTemplate } from "./http-exchange.ts";

/** What the load process shall do to a server. */
export interface LoadOrder extends LoadStyle {
  dialect: Dialect;
  headers: Readonly<Record<string, string>>;
  size: SizeName;
  until: Until;
}

let url: URL;
let sockets: Socket[] = [];

/** The process that the load comes from; it stays the same for all servers. */
serveCommands({
  open: async (to: { url: string; connections: number }): Promise<void> => {
    url = new URL(to.url);
    sockets = await openSockets(url, to.connections);
  },
  run: async ({ dialect, headers, size, ...how }: LoadOrder): Promise<LoadResult> =>
    runClosedLoop(sockets, requestTemplate(url, headers, requestText(dialect, size)), how),
  /** Goes on until the server closes the connections; gives the ids of the tasks that it acknowledged. */
  runUntilClosed: async ({ dialect, headers, size }: Omit<LoadOrder, keyof LoadStyle | "until">): Promise<string[]> =>
    acknowledgedUntilClosed(sockets, requestTemplate(url, headers, requestText(dialect, size))),
  close: (): void => {
    for (const socket of sockets) socket.destroy();
  },
});
