// suite: rest
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { WorkflowRun } from "@crosszone/contracts";
import { samples } from "@crosszone/dev-agents";
import type { Message } from "@crosszone/dev-slack";
import { stateOf } from "@crosszone/dev-slack/client";
import { expect, test, vi } from "vitest";
import { workflowOf } from "../harness/runs-api.ts";
import { exampleWorkflows, startWithAgents } from "../harness/start-crosszone.ts";

// Each test starts a process, which is slow on a busy machine.
/** Returns a sample agent's answer to a text. */
function says(name: "proofreader" | "keywords" | "fingerprint", text: string): string {
  return samples.find((sample) => sample.name === name)?.work(text) ?? "";
}

/** Returns the tasks that an agent got, without polls. */
function given({ agents }: Awaited<ReturnType<typeof startWithAgents>>, name: string): readonly string[] {
  return agents.control(name).asked.flatMap(({ body }) => {
    const { id, task_id, method } = body as { readonly [member: string]: string | undefined };
    return method === undefined ? [String(task_id)] : method === "message/send" ? [String(id)] : [];
  });
}

const statesOf = ({ steps }: WorkflowRun) => Object.fromEntries(steps.map(({ path, state }) => [path, state]));

const text = "This is is a text about agents; the agents answer .";
const short = "It is is short.";

/** Returns the steps that a person sees: as tasks of the plan, or below the text if the stream had none before its end. */
function stepsIn({ text: said, blocks = [] }: Message): readonly string[] {
  const plan = (blocks as readonly { readonly type: string; readonly tasks?: readonly Card[] }[]).find(
    ({ type }) => type === "plan",
  );
  const steps = (plan?.tasks ?? []).filter(({ task_id }) => task_id.startsWith("step "));
  if (steps.length === 0) return said.split("\n").filter((line) => /^[✓✗] /.test(line));
  return steps.map(({ title, status }) => `${{ complete: "✓", error: "✗" }[status] ?? status} ${title}`);
}

interface Card {
  readonly task_id: string;
  readonly title: string;
  readonly status: string;
}

test("R8.7, R3.1, B22: every example runs with agents of both protocols and outputs their answers", async () => {
  const zones = await startWithAgents();
  const sealOf = (said: string) => says("fingerprint", said);
  const about = says("keywords", text);
  const firstTwo = { slips: { response: says("proofreader", text) }, seal: { response: sealOf(text) } };
  const runs: Readonly<Record<string, { readonly id: string; readonly input: object; readonly output: unknown }>> = {
    "sequence.json": {
      id: "publish-text",
      input: { text, title: "News" },
      output: {
        title: "News",
        text: `*News*\n\n${says("proofreader", text)}\n\n${about}\n\n${sealOf(`News\n\n${text}\n\n${about}`)}`,
      },
    },
    "parallel.json": {
      id: "three-views",
      input: { text },
      output: {
        text: `${says("proofreader", text)}\n\n${about}\n\n${sealOf(text)}`,
        all: {
          slips: expect.objectContaining({ response: says("proofreader", text) }) as unknown,
          about: expect.objectContaining({ text: about }) as unknown,
          seal: { response: sealOf(text) },
        },
      },
    },
    "conditional.json": {
      id: "keywords-if-long",
      input: { text: short },
      output: { text: `${says("proofreader", short)}\n\n${sealOf(says("proofreader", short))}` },
    },
    "loop.json": {
      id: "check-each",
      input: { texts: [text, short] },
      output: {
        sealed: [text, short].map((each, index) => ({
          response: sealOf(`${index}: ${each}\n${says("proofreader", each)}`),
        })),
        first: sealOf(`0: ${text}\n${says("proofreader", text)}`),
      },
    },
    "fork-join.json": {
      id: "two-of-three",
      input: { text },
      output: {
        answers: firstTwo,
        slips: says("proofreader", text),
        text: sealOf(`Answers: ${JSON.stringify(firstTwo)}`),
      },
    },
    "review.yaml": {
      id: "review-draft",
      input: { paragraphs: [short, "All is well."], title: "Draft" },
      output: {
        title: "Draft",
        text: "Not ready yet, the notes say why.",
        notes: [short, "All is well."].map(
          (each) => expect.objectContaining({ response: says("proofreader", each) }) as unknown,
        ),
        about: says("keywords", JSON.stringify([short, "All is well."])),
      },
    },
  };
  // The example that asks Bob has a test of its own.
  expect([...Object.keys(runs), "send-invoice.yaml"].toSorted()).toEqual(readdirSync(exampleWorkflows).toSorted());
  const keywords = zones.agents.control("keywords");
  for (const [file, { id, input, output }] of Object.entries(runs)) {
    // One agent of a two-of-three fork is late.
    keywords.fault = file === "fork-join.json" ? "hang" : "ok";
    const run = await zones.api.ended(await zones.api.start(id, input));
    expect([file, run.error, run.output]).toEqual([file, undefined, output]);
    expect([file, run.state]).toEqual([file, "succeeded"]);
  }
  const late = (): unknown[] => keywords.asked.filter(({ fault }) => fault === "hang").map(({ left }) => left);
  await vi.waitFor(() => expect(late()).toEqual([true]));
  const long = await zones.api.ended(await zones.api.start("keywords-if-long", { text: short, long: 5 }));
  expect(long.output).toEqual({ text: `${says("keywords", short)}\n\n${sealOf(says("keywords", short))}` });
  expect(long.steps.find(({ path }) => path === "slips")).toBeUndefined();
});

test("R8.7: a workflow runs the same from Slack, the command line and plain HTTP", async () => {
  const zones = await startWithAgents();
  const input = { text, title: "News" };
  const inSlack = await zones.runInSlack("publish-text", JSON.stringify(input));
  const typed = await zones.cli("run", "publish-text", "--input", `text=${text}`, "--input", "title=News");
  expect([typed.code, typed.err]).toEqual([0, expect.stringMatching(/succeeded +Seal \(fingerprint/)]);
  const id = await zones.api.start("publish-text", input, "once");
  const plain = await zones.api.ended(id);
  expect(await zones.api.start("publish-text", input, "once")).toBe(id);

  const runs = await zones.api.runs("workflow_id=publish-text");
  expect(runs).toHaveLength(3);
  for (const { run_id } of runs) {
    const run = await zones.api.run(run_id);
    expect([run.input, run.output, statesOf(run)]).toEqual([input, plain.output, statesOf(plain)]);
  }
  expect(JSON.parse(typed.out)).toEqual(plain.output);
  expect(inSlack.text).toContain((plain.output as { text: string }).text.split("\n\n").at(-1));
  for (const name of ["proofreader", "keywords", "fingerprint"])
    expect([name, given(zones, name).length]).toEqual([name, 3]);
});

test("R8.7, B10, B21: a failed agent is reported with its step; a retry continues the run there, and repeats nothing", async () => {
  const zones = await startWithAgents();
  zones.agents.control("fingerprint").fault = "rpc_error";
  const failed = await zones.runInSlack("publish-text", text);
  expect(stateOf(failed)).toBe("failed");
  expect(failed.text).toMatch(/^The step “Seal” of the workflow “publish-text” failed: the agent “fingerprint” /);
  expect(stepsIn(failed)).toEqual(["✓ Proofread", "✓ Find the keywords", "✗ Seal"]);
  expect(failed.text).not.toContain("Told to fail");

  const { run_id } = await zones.api.latest("state=failed");
  const before = await zones.api.run(run_id);
  expect(before.error).toMatchObject({ kind: "agent_failed", path: "seal", agent_error: { kind: "task_failed" } });
  zones.agents.control("fingerprint").fault = "ok";
  await zones.api.post(`/runs/${run_id}/retry`);
  const after = await zones.api.ended(run_id);
  expect([after.state, statesOf(after)]).toEqual([
    "succeeded",
    { proofread: "succeeded", about: "succeeded", seal: "succeeded" },
  ]);
  expect((after.output as { text: string }).text).toContain(
    says("fingerprint", `Untitled\n\n${text}\n\n${says("keywords", text)}`),
  );
  expect(["proofreader", "keywords", "fingerprint"].map((name) => given(zones, name))).toEqual([
    [`${run_id}.proofread.1`],
    [`${run_id}.about.1`],
    [`${run_id}.seal.1`, `${run_id}.seal.2`],
  ]);
  await expect(zones.api.post(`/runs/${run_id}/retry`)).rejects.toThrow(/409 .*run-not-failed/);
});

test("if an agent and a workflow have the same name, it means the agent, and the API runs the workflow", async () => {
  const zones = await startWithAgents();
  const slips = { id: "slips", type: "agent", agent_name: "proofreader", input_mapping: "${workflow.input}" } as const;
  await zones.api.create(workflowOf("fingerprint", [slips]));
  expect((await zones.runInSlack("fingerprint", "abc")).text).toMatch(/ba7816bf8f01cfea/);
  expect(await zones.ask("fingerprint", "abc")).toMatch(/ba7816bf8f01cfea/);
  expect(given(zones, "proofreader")).toEqual([]);
  const run = await zones.api.ended(await zones.api.start("fingerprint", { text: short }));
  expect(run.output).toMatchObject({ response: says("proofreader", short) });
});

// Of all process tests, only this one starts a zone from its source.
test("execution starts and runs workflows as `./crosszone dev` starts it, in Node's watch mode", async () => {
  const manifest = readFileSync(resolve(import.meta.dirname, "../../apps/execution/package.json"), "utf8");
  const { scripts } = JSON.parse(manifest) as { readonly scripts: { readonly dev: string } };
  const [command, ...args] = scripts.dev.split(" ");
  expect([command, args[0]]).toEqual(["node", "../../dev/scripts/watch.ts"]);
  const { runInSlack } = await startWithAgents({ args });
  expect((await runInSlack("publish-text", "This is is a text.")).text).toContain("SHA-256 of 42 bytes");
});

test("P1, P9, R8.7: the sample asks Bob in Slack, sends the invoice once he has approved it, and a denied one is not sent", async () => {
  const zones = await startWithAgents();
  const { control } = zones.slack;
  const press = async (verb: "approve" | "deny", card: Message): Promise<void> => {
    const [action_id = ""] = new RegExp(`input:${verb}:[\\w-]+`).exec(JSON.stringify(card.blocks)) ?? [];
    const { channel, ts } = card;
    expect(await control.act({ user: "bob", channel, ts, action_id })).not.toHaveProperty("warning");
  };
  const shown = (what: string) => control.waitForMessage((message) => JSON.stringify(message).includes(what));
  control.postMessage({ user: "alice", channel: "general", text: "@Crosszone run send-invoice: 100 EUR to Acme" });
  const card = await shown("Waiting for");
  expect(zones.agents.control("billing").asked).toEqual([]);
  await press("approve", card);
  const answer = await shown("Sent invoice ");
  expect(answer).toMatchObject({ thread_ts: card.thread_ts });
  expect((await shown("Approved by <@U0BOB000001>")).ts).toBe(card.ts);
  expect(given(zones, "billing")).toHaveLength(1);

  control.postMessage({ user: "alice", channel: "general", text: "@Crosszone run send-invoice: 900 EUR to Acme" });
  const other = await shown("900 EUR to Acme?");
  await press("deny", other);
  const [modal] = control.views("bob");
  await control.act({ view_id: modal?.id ?? "", user: "bob", action_id: "value", value: "Too expensive." });
  await control.submitView({ view_id: modal?.id ?? "", user: "bob" });
  await shown("Denied by <@U0BOB000001>");
  const stopped = await shown("“Approve the invoice” of the workflow “send-invoice” was not approved");
  expect(stopped).toMatchObject({ thread_ts: other.thread_ts });
  expect(given(zones, "billing")).toHaveLength(1);
});
