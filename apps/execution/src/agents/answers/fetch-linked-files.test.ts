import type { AgentRecord } from "@crosszone/contracts";
import { expect, test } from "vitest";
import { answerWith } from "./answer-with.ts";
import { fetchLinkedFiles, type FetchAgentFile } from "./fetch-linked-files.ts";

const agent = { name: "A", url: "https://agent.example.com/a2a" } as AgentRecord;
const { signal } = new AbortController();
const linked = (uri: string) => ({ kind: "file", file: { name: uri.split("/").at(-1), mimeType: "text/csv", uri } });

async function answerTo(uris: readonly string[], fetchFile: FetchAgentFile, most = signal) {
  const output = { artifacts: [{ artifactId: "1", parts: uris.map(linked) }] };
  return answerWith(await fetchLinkedFiles(output, { agent, fetchFile, maxBytes: 1_000, signal: most }));
}

test("I5: a file at the agent's own origin is fetched, as if the agent had sent its bytes", async () => {
  const { files, response_text } = await answerTo(["https://agent.example.com/files/a.csv"], async ({ maxBytes }) =>
    Buffer.from(`at most ${maxBytes}`),
  );
  expect(response_text).toBe("Here is a file.");
  expect(files).toMatchObject([{ name: "a.csv", media_type: "text/csv", bytes: Buffer.from("at most 1000") }]);
});

test("I5, S14: files at other origins are not fetched, and a file that is not fetched stays a link", async () => {
  const asked: string[] = [];
  const elsewhere = ["https://example.com/a", "http://agent.example.com/a", "https://agent.example.com:8443/a", "no"];
  const { files, response_text } = await answerTo([...elsewhere, "https://agent.example.com/gone"], async ({ url }) => {
    asked.push(url);
    throw new Error("404");
  });
  expect(asked).toEqual(["https://agent.example.com/gone"]);
  expect(files).toBeUndefined();
  for (const url of [...elsewhere, ...asked]) expect(response_text).toContain(`: ${url}`);
});

test("no more files are fetched than fit into an answer", async () => {
  let count = 0;
  const uris = Array.from({ length: 25 }, (_, index) => `https://agent.example.com/${index}`);
  const { files } = await answerTo(uris, async () => Buffer.from(String(++count)));
  expect([count, files?.length]).toEqual([20, 20]);
});

test("N5: canceling the task while a file is fetched rejects with the cancellation reason", async () => {
  const over = new AbortController();
  const answer = answerTo(
    ["https://agent.example.com/a"],
    async () => {
      over.abort(new Error("canceled"));
      throw new Error("gone");
    },
    over.signal,
  );
  await expect(answer).rejects.toThrow("canceled");
});
