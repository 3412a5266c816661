import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** The command that has a server listen on a free port of loopback; gives its URL. Idle connections outlive a round. */
export function listenCommand(server: Server): { readonly listen: () => Promise<string> } {
  server.keepAliveTimeout = 65_000;
  return {
    listen: async () => {
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}/rpc`;
    },
  };
}
