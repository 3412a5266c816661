import type { AgentRecord } from "@crosszone/contracts";
import { expect, test } from "vitest";
import { reportMovedAgents } from "./agents-file.ts";

test("R10.5: an agent whose file moves it to a failing protocol is reported, and keeps its old protocol", async () => {
  const logged: object[] = [];
  const report = async (protocol: string, failedChecks: () => Promise<{ id: string; title: string }[]>) => {
    await reportMovedAgents(["gone", "A"], {
      store: { get: async (name) => (name === "A" ? ({ id: "1", name, protocol } as AgentRecord) : undefined) },
      gate: { failedChecks },
      logger: { warn: (event, fields) => void logged.push({ event, ...fields }) },
      signal: new AbortController().signal,
    });
    return logged.splice(0);
  };
  const failing = async () => [
    { id: "id-echoed", title: "" },
    { id: "card", title: "" },
  ];
  const [event, agent_name] = ["agent_not_compliant", "A"];
  expect(await report("a2a-1.0", failing)).toEqual([
    { event, agent_name, because: "fails checks of a2a-1.0: id-echoed, card" },
  ]);
  expect(await report("a2a-1.0", async () => [])).toEqual([]);
  expect(await report("auto", failing)).toEqual([]);
  const cause = new Error("broken");
  expect(await report("a2a-1.0", () => Promise.reject(cause))).toEqual([
    { event, agent_name, because: "it could not be checked", cause },
  ]);
});
