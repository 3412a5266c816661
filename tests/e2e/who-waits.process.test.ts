// suite: rest
import { serve } from "@crosszone/testkit/temporary";
import { expect, test } from "vitest";
import { runProgram } from "../harness/run-program.ts";
import { startWithAgents } from "../harness/start-crosszone.ts";

test("O6, O7: an operator sees which agent fails, who waits for one, and what a person asked when", async () => {
  const { write, answerTo, env } = await startWithAgents({ view: true, env: { AGENT_ORIGINS: "http://127.0.0.1:*" } });
  const cli = (...words: readonly string[]) => runProgram("tools/cli/src/main.ts", env.both, ...words);
  // It takes every question and answers none.
  const silent = await serve(({ method }, response) => void (method === "POST" || response.writeHead(404).end()));
  await cli("agents", "add", "silent", silent, "--protocol", "simple-a2a", "--no-question");
  await cli("agents", "add", "gone", "http://127.0.0.1:1", "--no-question");
  const breaker = { breaker: { failures: 1, open_ms: 60_000 }, retry: { max_retries: 0, base_ms: 100, max_ms: 100 } };
  await fetch(`${env.both.CROSSZONE_URL}/api/v1/agents/gone`, {
    method: "PATCH",
    headers: { authorization: `Bearer ${env.both.CROSSZONE_TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify(breaker),
  });

  await answerTo(write({ text: "ask gone: hello" }));
  write({ user: "bob", text: "ask silent: hello" });
  await expect.poll(async () => (await cli("agents", "list", "--waiting")).out).toMatch(/^silent /m);

  const listed = await cli("agents", "list");
  expect(listed.out).toMatch(/^gone +auto +on +open +0 +1 call, 1 failed +unreachable \S+( \S+)? ago /m);
  expect(listed.out).toMatch(/^silent +simple-a2a +on +closed +1, oldest \S+( \S+)? ago /m);
  expect((await cli("agents", "list", "--waiting")).out).not.toMatch(/^gone /m);
  const gone = await cli("agents", "show", "gone");
  expect(gone.out).toMatch(
    /^circuit +open\nlast failure +unreachable, \S+Z \(\S+( \S+)? ago\)\nwaiting +0\n24 hours +1 call, 1 failed$/m,
  );

  // Once verification has reported the message.
  const shown = async () => (await cli("agents", "show", "silent", "--waiting")).out;
  await expect.poll(shown).toMatch(/^PERSON +TASK +ASKED +SINCE\nBob Carter +[\da-f-]{13} +silent +\S+( \S+)? ago$/m);
  const waits = await cli("tasks", "list", "--agent", "silent", "--open");
  expect(waits.out).toMatch(/^PERSON +TASK +AGENT +STATE +AGE +REFERENCE\nBob Carter +\S+ +silent +working +/);

  for (const [person, agent] of [
    ["U0ALICE0001", "gone"],
    ["Alice", "gone"],
    ["bob carter", "silent"],
  ] as const) {
    const { out } = await cli("tasks", "list", "--person", person, "--since", "10m");
    expect(out.trim().split("\n")).toEqual([expect.stringMatching(/^TASK/), expect.stringContaining(` ${agent} `)]);
  }
  expect((await cli("tasks", "list", "--person", "Alice", "--until", "10m")).out).toBe("No tasks.\n");

  // The name is that of a person in the other zone's log.
  write({ user: "gus", text: "what is the secret plan?" });
  const denied = async () => (await cli("audit", "list", "--person", "U0GUEST0001", "--since", "10m")).out;
  await expect.poll(denied).toContain("question.reject");
  expect((await cli("audit", "list", "--person", "Bob", "--since", "10m")).out).toBe("No audit events.\n");
  expect((await cli("audit", "list", "--actor", "bootstrap:bootstrap", "--person", "U1")).code).toBe(2);
});
