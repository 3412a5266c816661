// suite: rest
import { answerOf } from "@crosszone/bench/agents";
import { newPostgresDatabase } from "@crosszone/testkit/postgres";
import { Client } from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { serve } from "@crosszone/testkit/temporary";
import { startZone } from "@crosszone/execution/testing";
import { postAs, rpcOf } from "../harness/runs-api.ts";
import { writeAgentsFile } from "../harness/temp-file.ts";

const token = "a-test-token-of-thirty-two-letters";

/** Starts an agent that answers at once, in its own conversation. `asked` has the conversation of each message. */
async function startAgent() {
  const asked: unknown[] = [];
  const origin = await serve(async (request, response) => {
    if (request.method !== "POST") return response.writeHead(404).end();
    const text = Buffer.concat((await request.toArray()) as Buffer[]).toString();
    const question = JSON.parse(text) as { id: string; params: { message: { contextId?: string } } };
    asked.push(question.params.message.contextId);
    return response.writeHead(200, { "content-type": "application/json" }).end(answerOf("jsonrpc-2.0", question));
  });
  return { asked, url: `${origin}/` };
}

/** Records the first statement of each message to PostgreSQL. */
function recordQueries() {
  const prototype = Client.prototype as unknown as { query: (this: unknown, ...all: unknown[]) => unknown };
  const { query: send } = prototype;
  // Periodic queries, independent of questions: renewals, shares, running jobs, schedules and results.
  const idle =
    /job_worker|^\s*with recursive|min\(due_at\)|workflow_run|from "(schedule|fire)"|"share" >=|"outcome" from|case when|^listen/i;
  const texts: string[] = [];
  const sent = vi.spyOn(prototype, "query").mockImplementation(function record(this: unknown, ...all) {
    const [query] = all;
    // A batch no longer has its text after the answer.
    const text = typeof query === "string" ? query : (query as { readonly text: string }).text;
    if (!idle.test(text)) texts.push(text);
    return send.apply(this, all);
  });
  onTestFinished(() => sent.mockRestore());
  return { take: () => texts.splice(0) };
}

test("on PostgreSQL, a streamed question to a registered agent takes three round trips, in a new thread and in a known one", async () => {
  const { url, asked } = await startAgent();
  const env = { EXECUTION_FILE: writeAgentsFile([{ name: "lima", url }]), AGENT_ORIGINS: url };
  const limits = { syncWindowMs: 20_000 };
  const zone = await startZone(undefined, { tokens: [token], ...limits, env, database: await newPostgresDatabase() });
  const ask = async (id: string, context_id: string) => {
    const params = { agent: "lima", channel: "C1", text: "hi", bot_token: "handle", context_id };
    const { text } = await postAs(token)(`${zone.url}/rpc`, { ...rpcOf("execute_task", params), id });
    expect(text).toContain('"status":"success"');
  };
  await ask("warm-up", "thread-0");
  const queries = recordQueries();
  const inserted = expect.stringMatching(/^\s*(with changed as \()?insert into job/) as string;
  const ended = expect.stringMatching(/^update job set state = 4/) as string;
  for (const id of ["first", "second"]) {
    queries.take();
    await ask(id, "thread-1");
    expect(queries.take()).toEqual([inserted, inserted, ended]);
  }
  expect(asked.at(-1)).toBe("c1");
  expect(asked.at(-2)).not.toBe("c1");
});
