import { freePort } from "@crosszone/testkit";
import { expect, test } from "vitest";
import { startCrosszone } from "../harness/start-crosszone.ts";
import { startHttpAgent, type AgentWork, type SentFile } from "../harness/start-http-agent.ts";
import { writeAgentsFile } from "../harness/write-agents-file.ts";

const large = { name: "report.csv", mimetype: "text/csv", content: "0123456789abcde\n".repeat(125_000) };

/** Both zones and an agent that is named `counter`. */
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

test("I5, S14: an agent downloads a file of 2 MB by its link, until its task has ended, and no log has the link", async () => {
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

test("without an address at which agents reach the zone, a large file is only described, and the answer says so", async () => {
  const zones = await startWithCounter(async (_text, _method, files) => `${files.length} files`, { links: false });
  const { markdown_text } = await zones.answerTo(zones.write({ text: "ask counter: count", files: [large] }));
  expect(markdown_text).toContain("0 files\n\nNot sent to counter: report.csv (too large).");
});
