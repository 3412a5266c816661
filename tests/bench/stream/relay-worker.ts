import { once } from "node:events";
import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { ownUsage } from "../load-run/watch.ts";
import { serveCommands } from "../process/serve-commands.ts";

/** One hop of the bare relay: what comes from the upstream goes on as it is, byte for byte. */
let upstream = "";
const server = createServer((request, response) => {
  get(`${upstream}${request.url}`, (from) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    from.pipe(response);
  });
});

serveCommands({
  listen: async (to: string) => {
    upstream = to;
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  },
  usage: ownUsage,
});
