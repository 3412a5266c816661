// suite: rest
// @module-tag judge
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { createBuiltinAgent } from "@crosszone/builtin-agent";
import { openTaskStore } from "@crosszone/execution";
import { vaultOf } from "@crosszone/service-kit";
import { tempFolder } from "@crosszone/testkit/temporary";
import { expect, onTestFinished, test, vi } from "vitest";
import { startOtlpCollector } from "../harness/otlp-collector.ts";
import { readFolder, recordCalls, recordWire, type Wire } from "../harness/record-traffic.ts";
import { typeCommand } from "../harness/slack-actions.ts";
import { agentThat } from "../harness/start-called-zone.ts";
import { type Crosszone, startCrosszone, stateOf } from "../harness/start-crosszone.ts";

const files = [{ name: "ages.csv", mimetype: "text/csv", content: "name,age\nAda,36\nAlan,41\n" }];

/** Reads its file. Then it fails with its whole input, or waits to be stopped if the question says so. */
const leaky = agentThat("leaky", async (input, context) => {
  await context.readFile(input.attachments[0]?.id ?? "").catch(() => undefined);
  if (input.text === "wait") await setTimeout(60_000, undefined, { signal: context.signal });
  throw new Error(`${JSON.stringify([input, context])} ${String(context.readFile)}`);
});

/**
 * Performs a run with a file, a follow-up, a failure, a stop and a command. Collects everything that leaves or is stored by a zone: the answer about the
 * file, all bytes between the zones as `wire`, all other text by its place, and the traces, which are complete when both zones have stopped.
 */
async function capture(env: Record<string, string> = {}) {
  const wires: Wire[] = [];
  const records: unknown[] = [];
  const traces = await startOtlpCollector();
  const folder = tempFolder();
  const [ofExecution, ofVerification] = [join(folder, "execution"), join(folder, "verification")];
  // With keys, a handle is stored while its task runs.
  const vault = vaultOf({ DATA_KEYS: [`k1:${randomBytes(32).toString("base64")}`] });
  const file = `sqlite:${join(ofExecution, "tasks.sqlite")}`;
  const { store, jobs, database } = await openTaskStore({ url: file, vault });
  onTestFinished(() => database.close());
  const zones = await startCrosszone({
    agents: [createBuiltinAgent(), leaky],
    env: {
      DATA_DIR: ofVerification,
      OTEL_EXPORTER_OTLP_ENDPOINT: traces.url,
      OTEL_EXPORTER_OTLP_HEADERS: "x-api-key=collector-key",
      ...env,
    },
    between: async (url) => {
      const wire = await recordWire(url);
      wires.push(wire);
      return wire.url;
    },
    // The store and its worker share one database.
    execution: () => ({ store, jobs }),
    verification: (deps) => ({ inbox: recordCalls(deps.inbox, records), threads: recordCalls(deps.threads, records) }),
  });

  const root = zones.write({ text: "what did I attach", files });
  const answer = (await zones.answerTo(root)).markdown_text ?? "";
  await zones.answerTo(zones.write({ text: "ask leaky: fail, please", files, thread_ts: root.ts }));
  const long = zones.write({ text: "ask leaky: wait", files });
  await zones.slack.control.waitForMessage(
    (message) => message.thread_ts === long.ts && stateOf(message) === "working",
  );
  // Slack shows "working" before the agent opens the third file. With the real token, no agent opens a file here.
  const opened = env["SLACK_TOKEN_FORWARDING"] === "real" ? 0 : 3;
  await vi.waitFor(() => {
    const read = wires.flatMap((one) => one.recorded().match(/^GET \/files\//gm) ?? []);
    expect(read).toHaveLength(opened);
  });
  const pages = await pagesOf(zones);
  zones.write({ text: "stop", thread_ts: long.ts });
  expect(stateOf(await zones.answerTo(long))).toBe("stopped");
  zones.slack.control.setFault({ method: "response_url", kind: "server_error", times: 3 });
  await (await typeCommand(zones.slack)).said();
  await vi.waitFor(() => expect(zones.log.map(({ event }) => event)).toContain("command_ended"));

  const wire = wires.map((one) => one.recorded()).join("\n");
  const text = (value: unknown): string => JSON.stringify(value);
  const databases = (await Promise.all([ofExecution, ofVerification].map(readFolder))).join("\n");
  const places = { logs: text(zones.log), databases, inbox: text(records), pages };
  return { zones, answer, wire, places, traces };
}

/** Returns the metrics, health and error pages of both zones with headers. */
async function pagesOf({ execution, verification }: Crosszone): Promise<string> {
  const authorization = `Bearer czh_${"x".repeat(43)}`;
  const requests = [execution.url, verification.url].flatMap((url) => [
    ...["/metrics", "/healthz", "/readyz", "/nothing", "/files/F1"].map(async (path) =>
      fetch(url + path, { headers: { authorization } }),
    ),
    fetch(`${url}/rpc`, { method: "POST", body: "junk" }),
    fetch(`${url}/slack/events`, { method: "POST", body: "junk" }),
  ]);
  const pages = (await Promise.all(requests)).map(async (page) => [page.status, ...page.headers, await page.text()]);
  return JSON.stringify(await Promise.all(pages));
}

/** Returns a secret in plain and in the encodings that it may have. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  // The base64 of a text depends on the number of bytes before it; its first and last characters depend on the neighbors.
  const base64 = [0, 1, 2].map((before) =>
    Buffer.concat([Buffer.alloc(before), bytes])
      .toString("base64")
      .slice(before + 1, -4),
  );
  return [secret, encodeURIComponent(secret), bytes.toString("hex"), ...base64, secret.split("").toReversed().join("")];
}

const whereFound = (secret: string, places: Record<string, string>): string[] =>
  Object.entries(places).flatMap(([place, text]) =>
    formsOf(secret).some((form) => text.includes(form)) ? [place] : [],
  );

const handleForm = /czh_[\w-]{43}/g;

test("S14: the bot token and the signing secret never leave verification; a handle is only in bot_token and in the ids of the files that it opens, and opens nothing after its task", async () => {
  const { zones, answer, wire, places, traces } = await capture();
  for (const secret of [zones.slack.botToken, zones.slack.signingSecret])
    expect(whereFound(secret, { wire, ...places })).toEqual([]);
  // The searched text is from a real run.
  expect(answer).toContain("`ages.csv`: 3 lines, 3 words");
  for (const text of [wire, ...Object.values(places)]) expect(text.length).toBeGreaterThan(500);

  const handles = new Set(wire.match(handleForm));
  expect(handles.size).toBe(3);
  for (const handle of handles) {
    expect(wire.split(`"bot_token":"${handle}"`)).toHaveLength(2);
    expect(wire).toContain(`authorization: Bearer ${handle}`);
    expect(whereFound(handle, places)).toEqual([]);
  }
  const elsewhere = wire.replaceAll(/"bot_token":"czh_[\w-]{43}"|^authorization: Bearer czh_[\w-]{43}\r$/gm, "");
  expect(elsewhere.match(handleForm)).toBeNull();

  const [file = ""] = /\/files\/(F\w+) HTTP/.exec(wire)?.slice(1) ?? [];
  for (const handle of handles) {
    const refused = await fetch(`${zones.verification.url}/files/${file}`, {
      headers: { authorization: `Bearer ${handle}` },
    });
    expect(refused.status).toBe(401);
  }

  const { logs } = places;
  expect(logs).toContain("command_answer_not_taken");
  expect(logs).not.toMatch(/\/commands\/T|trigger|deprecated-verification-token|collector-key/);
  expect(JSON.stringify(zones.slack.control.traffic())).not.toMatch(/\/commands\/T/);

  await zones.verification.stop();
  await zones.execution.stop();
  const spans = traces.raw.join("\n");
  expect(traces.spans.length).toBeGreaterThan(5);
  for (const said of [
    "what did I attach",
    "ages.csv",
    "3 lines",
    "czh_",
    zones.slack.botToken,
    zones.slack.signingSecret,
  ])
    expect(spans).not.toContain(said);
  // An event's random id may hold the letters of a person's.
  expect(spans).not.toMatch(/\bU0[A-Z0-9]{9}\b/);
  expect(spans).toContain('"x-api-key":"collector-key"');
});

test("forwarding=real: the token is on the wire, where this capture finds it, and still not in a log, store or page", async () => {
  const { zones, answer, wire, places } = await capture({ SLACK_TOKEN_FORWARDING: "real" });
  expect(wire).toContain(`"bot_token":"${zones.slack.botToken}"`);
  expect(whereFound(zones.slack.botToken, { wire, ...places })).toEqual(["wire"]);
  expect(answer).toContain("I did not read it.");
  expect(wire).not.toContain("GET /files/");
});
