import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { sdkNamed, startSdkAgent } from "./start-sdk-agent.ts";
import { openThread, startSdkZones, startWrongWorld, type WrongWorld } from "./start-sdk-zones.ts";

const about = {
  name: "wrong",
  description: "Is not what it says.",
  version: "1.0.0",
  capabilities: {},
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [{ id: "play", name: "Play", description: "Plays.", tags: [] }],
};

/** Returns a card of A2A 1.0 with one interface at this URL. */
const cardAt = (url: string, protocolBinding = "JSONRPC"): object => ({
  ...about,
  supportedInterfaces: [{ url, protocolBinding, protocolVersion: "1.0" }],
});

const otherPort = (url: string): string => url.replace(/\d+$/, "9");

const page: WrongWorld["answer"] = (_request, response) =>
  void response.writeHead(200, { "content-type": "text/html" }).end("<html><body>Welcome</body></html>");

/** Forwards each request to the agent at `url`. */
const handOn =
  (url: string) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = Buffer.concat(await request.toArray());
    const headers = { "content-type": "application/json", "a2a-version": String(request.headers["a2a-version"] ?? "") };
    const answer = await fetch(`${url}${request.url}`, { method: "POST", headers, body });
    response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
  };

interface Case extends WrongWorld {
  readonly name: string;
  /** The log's text for the agent's owner. */
  readonly owner: RegExp;
}

const cases: readonly Case[] = [
  {
    name: "lies-about-url",
    card: (url) => cardAt(otherPort(url)),
    owner: /names the URL "http:\/\/127\.0\.0\.1:9", which is not on the registered .* Correct the card's URL/,
  },
  {
    name: "only-grpc",
    card: (url) => cardAt(url, "GRPC"),
    owner: /offers GRPC 1\.0, but Crosszone needs JSONRPC with A2A 1\.0 or 0\.3\. Add such an interface/,
  },
  { name: "nothing-there", owner: /HTTP 404.*check the agent's url and protocol/ },
  { name: "web-page", answer: page, owner: /HTTP 200.*is not JSON/ },
];

test("I3: a wrong card or URL is reported in one sentence that says what to do", async () => {
  const agents = await Promise.all(cases.map(async (one) => ({ ...one, url: await startWrongWorld(one) })));
  const { slack, log } = await startSdkZones(agents);
  const ask = async ({ name, owner }: Case): Promise<void> => {
    const answer = await openThread(slack.control, 60_000).say(`ask ${name}: hello`);
    expect(answer).toContain(name);
    expect(answer).toMatch(/^[^\n]+\.\n_Reference: [-0-9a-f]{36}_$/);
    const failures = log.filter((line) => line["agent_name"] === name && line["level"] === "error");
    const words = failures.map((line) => line["because"] ?? (line["error"] as Error | undefined)?.message);
    expect(words).toEqual([expect.stringMatching(owner)]);
  };
  await Promise.all(agents.map(ask));
});

test("I3: an agent that speaks A2A 0.3 is understood even if its card says 1.0", async () => {
  const old = await startSdkAgent(sdkNamed("js03"));
  const card = (url: string): object => cardAt(`${url}/a2a`);
  const url = await startWrongWorld({
    card,
    answer: (request, response) => void handOn(old.url)(request, response),
  });
  const { slack } = await startSdkZones([{ name: "older", url }]);
  const answer = await openThread(slack.control, 60_000).say("ask older: message at once");
  expect(answer).toContain("Hello from the agent.");
  expect(await old.journal()).toHaveLength(1);
});
