import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { DevSlack } from "@crosszone/dev-slack";

/** Lets people do in the local Slack what they do, and gives the bodies of the events that come of it. No app gets them. */
export async function recordEnvelopes(slack: DevSlack): Promise<Record<string, unknown>[]> {
  const bodies: string[] = [];
  const keep = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    bodies.push(await text(request));
    response.end();
  };
  const server = createServer((request, response) => {
    void keep(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  slack.setEventsUrl(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);

  const { control } = slack;
  const file = { name: "table.csv", mimetype: "text/csv", content: "a,b\n1,2\n" };
  const direct = control.postMessage({ channel: "dm", text: "what is 2+2?" });
  control.postMessage({ channel: "dm", text: "and doubled?", thread_ts: direct.ts });
  control.postMessage({ channel: "dm", text: "", files: [file] });
  control.postMessage({ channel: "dm", text: "stop" });
  const mention = control.postMessage({
    channel: "general",
    text: "@Crosszone what is 3*3? <https://example.com|a link> & more",
  });
  control.postMessage({ channel: "general", text: "@Crosszone and this?", thread_ts: mention.ts, files: [file] });
  control.postMessage({ channel: "general", text: "nobody is asked" });
  control.editMessage({
    channel: mention.channel,
    ts: mention.ts,
    user: mention.user,
    text: "@Crosszone what is 4*4?",
  });
  control.stop({ channel: direct.channel, thread_ts: direct.ts, user: direct.user });
  control.deleteMessage({ channel: direct.channel, ts: direct.ts, user: direct.user });
  await control.idle();
  slack.setEventsUrl(undefined);
  server.closeAllConnections();
  server.close();
  return bodies.map((body) => JSON.parse(body) as Record<string, unknown>);
}
