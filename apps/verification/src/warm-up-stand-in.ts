import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { listen } from "@crosszone/service-kit";

export const standInTeam = "T1";
export const standInBot = "UBOT";

/** A server that answers as Slack's Web API and as execution do. */
export interface StandIn {
  readonly url: string;
  /** How many answers were posted. */
  readonly answers: () => number;
  readonly stop: () => void;
}

const answerText = "The answer is **42**:\n\n- six times [seven](https://example.com)\n- `6 * 7`";

/** Has what any method returns: readers take what is theirs. */
const slackAnswer = {
  ok: true,
  team_id: standInTeam,
  user_id: standInBot,
  bot_id: "B1",
  user: { team_id: standInTeam, deleted: false, is_bot: false },
  channel: { is_archived: false },
  messages: [
    { ts: "1.1", text: "How are you?", user: "U1" },
    { ts: "1.2", text: "Well.", user: standInBot, bot_id: "B1" },
  ],
};

/** Starts the server on a free port of loopback. */
export async function startStandIn(): Promise<StandIn> {
  let answers = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    response.setHeader("content-type", "application/json");
    if (request.url === "/rpc") return void response.end(JSON.stringify(executionAnswer(body)));
    if (request.url === "/api/chat.postMessage") answers += 1;
    response.end(JSON.stringify({ ...slackAnswer, ts: `3.${answers}` }));
  };
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  const { url } = await listen(server, { host: "127.0.0.1", port: 0 });
  return {
    url,
    answers: () => answers,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function executionAnswer(body: string): object {
  const { id } = JSON.parse(body) as { readonly id: unknown };
  return {
    jsonrpc: "2.0",
    id,
    result: { status: "success", response_text: answerText, input_requests: [], last_seq: 0 },
  };
}
