import { executionConfig, loadExecutionConfig, type Agent } from "@crosszone/execution";
import { ConfigError, type Environment } from "@crosszone/service-kit";
import { ZoneError } from "@crosszone/contracts";
import { loadVerificationConfig, verificationConfig } from "@crosszone/verification";
import { describe, expect, test } from "vitest";
import { plantedSecrets } from "../harness/planted-secrets.ts";
import { startCrosszone, stateOf } from "../harness/start-crosszone.ts";

const secrets = plantedSecrets();
const shownIn = (text: string): string[] => secrets.filter(({ core }) => text.includes(core)).map(({ kind }) => kind);

describe("E5: configuration errors don't show values", () => {
  const zones = [
    { zone: "verification", names: Object.keys(verificationConfig), load: loadVerificationConfig },
    { zone: "execution", names: Object.keys(executionConfig), load: loadExecutionConfig },
  ];
  test.each(zones)("of $zone: any secret in any variable or file path", ({ names, load }) => {
    const messageOf = (env: Environment): string => {
      try {
        return load(env).warnings.join("\n");
      } catch (error) {
        if (error instanceof ConfigError) return `${error.message}\n${JSON.stringify(error)}`;
        throw error;
      }
    };
    let told = "";
    for (const { text } of secrets)
      for (const name of names)
        for (const value of [text, ` ${text}\n`, `${text},${text}`])
          told += messageOf({ [name]: value }) + messageOf({ [`${name}_FILE`]: value, [`${name}_FIEL`]: value });
    expect(told).toContain("is not valid");
    expect(shownIn(told)).toEqual([]);
  });
});

/** Fails as a word of the question says, with every secret in the error. */
const leaky: Agent = {
  name: "leaky",
  description: "",
  skills: [],
  run: async ({ text }) => {
    const all = secrets.map((secret) => secret.text).join(" | ");
    const cause = new AggregateError([new Error(all), { headers: { authorization: all } }], all, { cause: all });
    if (text.includes("zone")) throw new ZoneError("agent_failed", {}, { cause });
    if (text.includes("text")) throw all;
    throw Object.assign(new TypeError(all, { cause }), { code: all, kind: "agent_failed", data: { all } });
  },
};

describe("L5, S14: nothing that an agent throws is visible outside", () => {
  test.each(["an error", "a zone error", "a text"])(
    "%s: not in the answer, the thread, the metrics, the logs",
    async (what) => {
      const zones = await startCrosszone({ agents: [leaky] });
      const root = zones.write({ text: `throw ${what}` });
      const reply = await zones.answerTo(root);
      expect(stateOf(reply)).toBe("failed");
      const metrics = await Promise.all(
        [zones.execution.url, zones.verification.url].map(async (url) => (await fetch(`${url}/metrics`)).text()),
      );
      const answers = zones.slack.control.traffic().filter(({ kind }) => kind === "rpc");
      expect(answers.length).toBeGreaterThan(0);
      expect(metrics.join("")).toContain("task_requests_total");
      expect(zones.log.some(({ event }) => event === "task_failed")).toBe(true);
      expect(shownIn([...metrics, JSON.stringify([zones.replies(root), answers, zones.log])].join("\n"))).toEqual([]);
    },
  );
});

describe("S14: no secret that a caller sends is in a metric or a log", () => {
  test("secrets as method, agent, correlation id, task id, header and path", async () => {
    const zones = await startCrosszone();
    const { url, token } = zones.execution;
    const send = async (path: string, body: unknown, headers: Record<string, string> = {}): Promise<string> => {
      const response = await fetch(url + path, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${token}`, ...headers },
        body: JSON.stringify(body),
      });
      return response.text();
    };
    const call = (method: string, params: unknown, id: unknown = crypto.randomUUID()): unknown => ({
      jsonrpc: "2.0",
      method,
      params,
      id,
    });
    for (const { text } of secrets) {
      const line = text.replaceAll(/\s/g, " ");
      const task = { channel: text, text, bot_token: text };
      await send("/rpc", call(text, {}));
      await send("/rpc", call("execute_task", { ...task, agent: text }));
      await send("/rpc", call("execute_task", { ...task, correlation_id: line, thread_ts: text }, text));
      await send("/rpc", call("get_async_task_result", { task_id: text }));
      await send("/rpc", call("execute_task", { ...task, channel: 1 }), { "x-correlation-id": line });
      await send("/rpc", call("list_agents", {}), { authorization: line, "x-session-id": line });
      await send(`/${encodeURIComponent(text)}?q=${encodeURIComponent(text)}`, text);
    }
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toMatch(/rpc_requests_total\{method="other",outcome="method_not_found"\} \d/);
    expect(zones.log.length).toBeGreaterThan(secrets.length * 5);
    expect(shownIn(metrics + JSON.stringify(zones.log))).toEqual([]);
  });
});
