import { newSqliteDatabase } from "@crosszone/testkit/postgres";
import { Agent } from "undici";
import { expect, onTestFinished, test, vi } from "vitest";
import { doneWith, resultOf, taskIn } from "../testing/agent-record.ts";
import { agentNamed, enterTasks, newTask, realCaller, startBridge, storedResults } from "../testing/open-bridge.ts";
import { startAgent } from "../testing/http-agents.ts";

/** Returns our functions that run or wait for the caller of this one, from the kind's `run` inwards. */
function activeFunctions(): readonly string[] {
  const { stack = "" } = new Error("for its stack");
  const ours = stack.split("\n").filter((line) => /\/(packages|apps)\/[^/]+\/src\//.test(line));
  const engine = ours.findIndex((line) => line.includes("/packages/jobs/"));
  return (engine === -1 ? ours : ours.slice(0, engine))
    .filter((line) => !/\.test\.ts|\/testing\/|node_modules/.test(line))
    .map((line) => line.replace(/^\s*at (async )?/, "").replace(/\(.*\/src\/([^:]+):.*/, "($1)"))
    .toReversed();
}

test("at most six of our functions are active between a call's kind and undici, for a send and for a poll", async () => {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 200;
  // oxlint-disable-next-line typescript/unbound-method -- it is applied to its own `this`
  const { dispatch } = Agent.prototype;
  const chains: (readonly string[])[] = [];
  const spy = vi.spyOn(Agent.prototype, "dispatch").mockImplementation(function (this: Agent, ...given) {
    chains.push(activeFunctions());
    return dispatch.apply(this, given);
  });
  onTestFinished(() => {
    spy.mockRestore();
    Error.stackTraceLimit = limit;
  });
  const agent = await startAgent(({ body }) => ({
    body: resultOf(body.method === "tasks/get" ? doneWith("done") : taskIn("working"), body.id),
  }));
  const opened = await startBridge(await newSqliteDatabase(), {
    agents: [agentNamed("A", { url: agent.url })],
    caller: realCaller(agent.url),
  });
  const task = newTask("t1");
  await enterTasks(opened, [task]);
  expect(await storedResults(opened).until([task])).toMatchObject([{ status: "SUCCESS" }]);
  expect(chains).toHaveLength(2);
  for (const chain of chains) {
    console.log(`${chain.length}: ${chain.join(" → ")}`);
    expect(chain[0]).toContain("(bridge/");
    expect(chain.at(-1)).toContain("(client/");
    expect(chain.length).toBeLessThanOrEqual(6);
  }
});
