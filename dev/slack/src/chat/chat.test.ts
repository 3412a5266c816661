import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { devSlackForTest } from "../testing/dev-slack-for-test.ts";
import { converse, startChat } from "./chat.ts";
import { createControlClient } from "./control-client.ts";

it("/help and /exit of a conversation are commands of the client, and are not sent to Slack", async () => {
  const dev = await devSlackForTest();
  const [input, written] = [new PassThrough(), [] as string[]];
  const err = { write: (text: string) => written.push(text) };
  const options = {
    url: dev.url,
    channel: "dm",
    as: undefined,
    thread: undefined,
    timeoutMs: 1_000,
    json: false,
    text: "",
  };
  const chat = await startChat(createControlClient(dev.url), options, {
    out: { write: () => undefined, screen: undefined },
    err,
    echo: false,
  });
  input.write("/help\n/exit\nnever asked\n");
  await converse(chat, createInterface({ input, output: new PassThrough() }), err);
  expect(written.join("")).toMatch(/^Each line is a question, or one of:\n {2}\/agents/);
  expect(written.join("")).not.toContain("not a valid command");
  expect(JSON.stringify(dev.control.traffic())).not.toMatch(/help|exit|never asked/);
});
