import { createServer, get } from "node:http";
import { listen, serveCommands } from "../kit/commands.ts";
import { ownUsage } from "../kit/usage.ts";

/** One hop of the bare relay: it passes on what the upstream sends, byte for byte. */
let upstream = "";
const server = createServer((request, response) => {
  get(`${upstream}${request.url}`, (from) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    from.pipe(response);
  });
});

serveCommands({
  listen: (to: string) => {
    upstream = to;
    return listen(server);
  },
  usage: ownUsage,
});
