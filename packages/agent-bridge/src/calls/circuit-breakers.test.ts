import type { AgentRecord } from "@crosszone/contracts";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { AgentFailure } from "../protocol/protocol-adapter.ts";
import { agentOf } from "../testing/agent-record.ts";
import { CircuitBreakers, type CircuitChange, type CircuitPass } from "./circuit-breakers.ts";

const agent = agentOf({ url: "http://127.0.0.1:9/", timeout_ms: 5_000, breaker: { failures: 3, open_ms: 1_000 } });

function build() {
  const clock = { at: 0 };
  const changes: CircuitChange[] = [];
  const breakers = new CircuitBreakers({ now: () => clock.at, onChange: (change) => changes.push(change) });
  const fail = (times: number): void => {
    for (let done = 0; done < times; done += 1) breakers.admit(agent)("failed");
  };
  const refused = (of: AgentRecord = agent): AgentFailure | undefined => {
    try {
      breakers.admit(of)("abandoned");
      return undefined;
    } catch (error) {
      return error as AgentFailure;
    }
  };
  const state = () => breakers.readings().find((reading) => reading.agent === agent.name)?.state;
  return { clock, changes, breakers, fail, refused, state };
}

test("N4: consecutive failures open the circuit, and the refusal says for how long", () => {
  const { breakers, fail, refused, state } = build();
  fail(2);
  breakers.admit(agent)("succeeded");
  fail(2);
  expect(refused()).toBeUndefined();
  fail(1);
  const failure = refused();
  expect(failure).toBeInstanceOf(AgentFailure);
  expect(failure).toMatchObject({ kind: "circuit_open", retryable: false, retryAfterMs: 1_000 });
  expect(failure?.message).toBe(
    'The agent "scout" failed 3 times in a row and is suspended for now. Try again in 1 s.',
  );
  expect(state()).toBe("open");
});

test("after a pause a single probe is sent, and closes the circuit if it succeeds", () => {
  const { clock, breakers, fail, refused, state, changes } = build();
  fail(3);
  clock.at = 999;
  expect(refused()?.retryAfterMs).toBe(1);
  clock.at = 1_000;
  const probe = breakers.admit(agent);
  expect(state()).toBe("half_open");
  expect(refused()?.kind).toBe("circuit_open");
  probe("succeeded");
  expect(state()).toBe("closed");
  fail(2);
  expect(refused()).toBeUndefined();
  expect(changes.map(({ from, to }) => `${from} ${to}`)).toEqual(["closed open", "open half_open", "half_open closed"]);
});

test("calls that started before the circuit opened neither close it nor keep it open", () => {
  const { clock, breakers, fail, state } = build();
  const early = [breakers.admit(agent), breakers.admit(agent)];
  fail(3);
  early[0]?.("succeeded");
  expect(state()).toBe("open");
  clock.at = 1_000;
  const probe = breakers.admit(agent);
  early[1]?.("failed");
  probe("succeeded");
  expect(state()).toBe("closed");
});

test("a changed agent is called immediately", () => {
  const { fail, refused, changes } = build();
  fail(3);
  expect(refused({ ...agent, revision: 2 })).toBeUndefined();
  expect(changes.at(-1)).toEqual({ agent: "scout", from: "open", to: "closed" });
});

test("B13: an observer that throws cannot fail a call", () => {
  const breakers = new CircuitBreakers({
    onChange: () => {
      throw new Error("the store is down");
    },
  });
  const one = { ...agent, breaker: { failures: 1, open_ms: 1_000 } };
  expect(() => breakers.admit(one)("failed")).not.toThrow();
});

test("an agent that is no longer called is forgotten", () => {
  const { clock, fail, state } = build();
  fail(3);
  clock.at = 600_999;
  expect(state()).toBe("open");
  clock.at = 601_001;
  expect(state()).toBeUndefined();
});

test("B13: after any sequence of events, a call is admitted once the agent has rested long enough", () => {
  const step = fc.record({ wait: fc.nat(3_000), end: fc.constantFrom("succeeded", "failed", "abandoned", "lost") });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { clock, breakers, refused } = build();
      const open: CircuitPass[] = [];
      for (const { wait, end } of steps) {
        clock.at += wait;
        try {
          open.push(breakers.admit(agent));
        } catch {
          // Refused for now.
        }
        const pass = open[Math.floor(open.length / 2)];
        if (pass !== undefined && end !== "lost") pass(end);
      }
      clock.at += 5_000;
      expect(refused()).toBeUndefined();
    }),
  );
});

test("B13: a long call to the agent's earlier version does not close the circuit of its current version", () => {
  const { breakers, refused } = build();
  const changed = { ...agent, revision: 2 };
  breakers.admit(changed)("failed");
  breakers.admit(agent)("failed");
  breakers.admit(changed)("failed");
  expect([refused(changed)?.kind, refused(agent)?.kind]).toEqual(["circuit_open", "circuit_open"]);
});
