import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { freePort } from "@crosszone/testkit";
import { expect, onTestFinished, test } from "vitest";
import { startCrosszone } from "../harness/start-crosszone.ts";
import { startHttpAgent, type AgentWork, type SentFile } from "../harness/start-http-agent.ts";
import { writeAgentsFile } from "../harness/write-agents-file.ts";

const large = { name: "report.csv", mimetype: "text/csv", content: "0123456789abcde\n".repeat(125_000) };

/** Starts both zones and an agent named `counter`. */
async function startWithCounter(work: AgentWork, { links }: { readonly links: boolean }) {
  const agent = await startHttpAgent(work);
  const executionPort = await freePort();
  const env = {
    AGENTS_FILE: await writeAgentsFile([{ name: "counter", url: agent.url, protocol: "jsonrpc-2.0" }]),
    AGENT_ORIGINS: agent.origin,
    ...(links && { AGENT_FILES_URL: `http://127.0.0.1:${executionPort}` }),
  };
  return startCrosszone({ env, executionPort });
}

test("I5, S14: an agent downloads a file of 2 MB by its link until its task ends, and no log contains the link", async () => {
  const sent: SentFile[] = [];
  const zones = await startWithCounter(
    async (_text, _method, files) => {
      sent.push(...files);
      const response = await fetch(files[0]?.uri ?? "");
      const bytes = await response.bytes();
      return `${response.status} ${response.headers.get("content-type")} ${bytes.length}`;
    },
    { links: true },
  );
  const { markdown_text } = await zones.answerTo(zones.write({ text: "ask counter: count", files: [large] }));
  expect(markdown_text).toContain("200 text/csv 2000000");
  expect(sent).toMatchObject([{ name: "report.csv", mimeType: "text/csv" }]);
  expect(sent[0]?.uri).toMatch(new RegExp(`^${zones.execution.url}/files/czf_[\\w-]{43}$`));
  expect((await fetch(sent[0]?.uri ?? "")).status).toBe(404);
  expect(JSON.stringify(zones.log)).not.toContain("czf_");
});

test("I5: a file that an agent links to at its own origin is uploaded to the thread", async () => {
  const agent = createServer((request, response) => {
    if (request.method === "GET") return void response.writeHead(request.url === "/made.csv" ? 200 : 404).end("a,b\n");
    const uri = `http://${request.headers.host}/made.csv`;
    const parts = [{ kind: "file", file: { name: "made.csv", mimeType: "text/csv", uri } }];
    const result = { kind: "task", id: "1", status: { state: "completed" }, artifacts: [{ artifactId: "1", parts }] };
    return void json(request).then((body) =>
      response.end(JSON.stringify({ jsonrpc: "2.0", id: (body as { id: string }).id, result })),
    );
  }).listen(0, "127.0.0.1");
  await once(agent, "listening");
  onTestFinished(() => agent.close().closeAllConnections());
  const origin = `http://127.0.0.1:${(agent.address() as AddressInfo).port}`;
  const AGENTS_FILE = await writeAgentsFile([{ name: "maker", url: `${origin}/`, protocol: "jsonrpc-2.0" }]);
  const zones = await startCrosszone({ env: { AGENTS_FILE, AGENT_ORIGINS: origin } });
  const root = zones.write({ text: "ask maker: make a table" });
  expect((await zones.answerTo(root)).markdown_text).toContain("Here is a file.");
  await zones.slack.control.idle();
  const uploaded = zones.replies(root).flatMap(({ files = [] }) => files);
  expect(uploaded).toMatchObject([{ name: "made.csv", size: 4 }]);
});

test("without AGENT_FILES_URL, a large file is only described, and the answer says so", async () => {
  const zones = await startWithCounter(async (_text, _method, files) => `${files.length} files`, { links: false });
  const { markdown_text } = await zones.answerTo(zones.write({ text: "ask counter: count", files: [large] }));
  expect(markdown_text).toContain("0 files\n\nNot sent to counter: report.csv (too large).");
});
