import { resolve } from "node:path";
import type { RunList, WorkflowRun, WorkflowRecord } from "@crosszone/contracts";
import { startFakeAgents, startWorkflowApi, type FakeAnswer } from "@crosszone/workflow/testing";
import { expect, test } from "vitest";
import { testToken } from "./testing/fake-zone.ts";
import { runCli } from "./testing/run-cli.ts";

const examples = resolve(import.meta.dirname, "../../../examples/workflows");

/** The API and the executor of a zone on SQLite, with the examples stored through the command line. */
async function startZone(answer: FakeAnswer) {
  const agentNames = async (): Promise<string[]> => ["proofreader", "keywords", "fingerprint"];
  const { url, executor } = await startWorkflowApi({ tokens: () => [testToken], agentNames });
  const agents = await startFakeAgents(executor, answer);
  const cli = (...argv: string[]) => runCli(url.replace("/api/v1", ""), argv);
  const files = ["loop.json", "sequence.json"].map((name) => `${examples}/${name}`);
  const created = await cli("workflows", "create", ...files);
  expect(created).toEqual({ code: 0, out: "check-each 1.0.0 is stored\npublish-text 1.0.0 is stored\n", err: "" });
  return { agents, cli };
}

const said: FakeAnswer = ({ agent_name }) => ({ text: `${agent_name} writes` });

test("the examples run from the command line: progress of steps, the count of a loop, the output at the end", async () => {
  const { agents, cli } = await startZone(said);
  const each = await cli("run", "check-each", "--input", 'texts=["a","b","c"]');
  expect(each.code).toBe(0);
  expect(JSON.parse(each.out)).toMatchObject({ first: "fingerprint writes" });
  expect(each.err).toMatch(/^succeeded {2}Each text \(3\/3 · [\d.]+m?s\)$/m);
  expect(each.err).toMatch(/^succeeded {4}slips \(proofreader · 3\/3 · [\d.]+m?s\)$/m);
  expect(agents.tasks).toHaveLength(6);

  const argv = ["run", "publish-text", "--input", "text=A text.", "--input", "title=News", "--idempotency-key", "k"];
  const ids = [await cli(...argv, "--detach"), await cli(...argv, "--detach")].map(({ out }) => out.trim());
  expect(ids[1]).toBe(ids[0]);
  const watched = await cli("runs", "watch", ids[0] ?? "", "--json");
  expect(watched.code).toBe(0);
  const run = JSON.parse(watched.out) as WorkflowRun;
  expect(run).toMatchObject({
    state: "succeeded",
    input: { text: "A text.", title: "News" },
    output: { title: "News" },
  });

  const listed = JSON.parse((await cli("runs", "--state", "succeeded", "--json")).out) as RunList;
  expect(listed).toMatchObject({ runs: [{}, {}] });
  const shown = await cli("runs", "show", run.run_id);
  expect(shown.out).toMatch(/^state +succeeded after /m);
  expect(shown.out).toMatch(/^proofread +succeeded +proofreader +1 /m);
  const record = JSON.parse((await cli("workflows", "show", "publish-text", "--json")).out) as WorkflowRecord;
  expect(record.version).toBe("1.0.0");
  const { out } = await cli("workflows");
  expect(out).toMatch(/^WORKFLOW +VERSION +NAME +DESCRIPTION\ncheck-each +1\.0\.0 +Check each text +Proofreads/);
});
