// suite: rest
import { newSqliteDatabase } from "@crosszone/testkit/postgres";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { openExecutor } from "../testing/executors-under-test.ts";
import { agentStep, workflowOf } from "../testing/workflow-of.ts";
import { checkInputOnThread, checkSchemaOnThread } from "./request-thread.ts";

/** Takes the half second that the check of an input may take. */
const slow = { type: "string", pattern: "^([a-z]+ ?)+$" };
const evil = `${"a".repeat(40)}!`;

/** Lets callers fill their shares, behind checks that take a while. Ends with the test, or when the controller aborts. Returns that. */
function fillShares(...callers: readonly string[]): AbortController {
  const controller = new AbortController();
  const check = (schema: object, caller: string): void =>
    void checkInputOnThread(schema, evil, { caller, signal: controller.signal }).catch(() => undefined);
  for (const name of ["token:a", "token:b", "token:c"]) check(slow, name);
  for (const caller of callers) for (let count = 0; count < 201; count += 1) check({ type: "string" }, caller);
  onTestFinished(() => controller.abort());
  return controller;
}

describe("X16: the thread for others' schemas", () => {
  test("a caller has a fifth of the queue, others have their turn, and who leaves gives its place back at once", async () => {
    const check = (caller: string) => checkInputOnThread({ type: "string" }, "x", { caller });
    const full = fillShares("hook:slow");
    await expect(check("hook:slow")).rejects.toMatchObject({ kind: "rate_limited", data: { retry_after_ms: 2_000 } });
    expect(await check("hook:other")).toEqual([]);
    const gone = new AbortController();
    const waiting = checkInputOnThread(slow, evil, { caller: "token:gone", signal: gone.signal });
    gone.abort(new Error("the client is gone"));
    await expect(waiting).rejects.toThrow("the client is gone");
    full.abort();
    expect(await check("hook:slow")).toEqual([]);
  });

  test("a run's share is that of the hook, token, program or person who wrote its input", async () => {
    const { workflows } = await openExecutor(await newSqliteDatabase(), { isStarted: false });
    await workflows.createVersion(workflowOf([agentStep("a")], { input_schema: { type: "object" } }));
    const start = (options: Parameters<typeof workflows.startRun>[1]) =>
      workflows.startRun({ workflow_id: "w", input: {} }, options).then(
        ({ outcome }) => outcome,
        ({ kind }: { readonly kind: string }) => kind,
      );
    const alice = { requester: { team_id: "T1", requester: "U1" } };
    fillShares("hook:ci", "token:ci", "T1 U1");
    expect(await start({ ...alice, caller: "hook:ci" })).toBe("rate_limited");
    expect(await start({ requester: { requester: "token:ci" } })).toBe("rate_limited");
    expect(await start(alice)).toBe("rate_limited");
    expect(await start({ requester: { team_id: "T2", requester: "U1" } })).toBe("started");
    expect(await start({ ...alice, caller: "hook:other" })).toBe("started");
    expect(await start({})).toBe("started");
  });

  test("an input that ended the thread refused every later input of its schema", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "setInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const ending = checkInputOnThread(slow, evil);
    // As if it took the thread all its time.
    await vi.advanceTimersByTimeAsync(120_000);
    expect((await ending)[0]?.message).toMatch(/^cannot be checked: it took longer than 15000 ms/);
    expect(await checkInputOnThread(slow, "fine")).toEqual([]);
    // The same input is not tried again.
    expect((await checkInputOnThread(slow, evil))[0]?.message).toMatch(/15000 ms/);
  });

  test("a prompt step whose schema takes too long refused every definition without an input schema", async () => {
    const { workflows } = await openExecutor(await newSqliteDatabase(), { isStarted: false });
    const twice = (name: string) => ({ allOf: [{ $ref: `#/$defs/${name}` }, { $ref: `#/$defs/${name}` }] });
    const steps = Array.from({ length: 51 }, (_, n) => [`s${n}`, n === 0 ? {} : twice(`s${n - 1}`)] as const);
    const schema = { $ref: "#/$defs/s50", $defs: { ...Object.fromEntries(steps), s0: { minProperties: 0 } } };
    const prompt = { id: "a", type: "prompt", prompt: "x", schema };
    const { problems } = await workflows.validate(workflowOf([prompt as never]));
    expect(problems).toContainEqual({
      pointer: "/steps/a/schema",
      message: expect.stringMatching(/^took longer than/),
    });
    expect(await workflows.validate(workflowOf([agentStep("a")]))).toEqual({ problems: [] });
  });

  test("a schema is judged there, too", async () => {
    expect(await checkSchemaOnThread({ type: "object" })).toEqual([]);
    expect(await checkSchemaOnThread({ type: "text" })).toMatchObject([{ pointer: "/type" }, {}]);
    expect((await checkSchemaOnThread({ pattern: "(" }))[0]?.message).toMatch(/^cannot be read/);
  });
});
