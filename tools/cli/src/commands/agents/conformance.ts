import type { ChecklistItem, ConformanceProtocol } from "@crosszone/conformance";
import type { ConformanceCheck, ConformanceReport } from "@crosszone/contracts";
import { createLogUpdate } from "log-update";
import { type Command, defineCommand, jsonOption } from "../../program/command.ts";
import { checkUrl, readDuration, readHeaders, writeReport } from "../../program/options.ts";
import { actRow } from "../../program/row.ts";
import { exitCodes, type Output, UsageError } from "../../program/session.ts";
import { badge, junit, protocolName, reportText } from "../../text/report-text.ts";
import { harmlessJson, harmlessLine, ownName } from "../../text/terminal-text.ts";

/** Reads `--header "Name: value"` and `--bearer env:NAME`. Throws a `UsageError` that never has a value. */
function credentialHeaders(
  { header, bearer }: { readonly header?: readonly string[] | undefined; readonly bearer?: string | undefined },
  env: Readonly<Record<string, string | undefined>>,
): Headers {
  const headers = readHeaders(header);
  if (bearer === undefined) return headers;
  const [, name] = /^env:(\w+)$/.exec(bearer) ?? [];
  if (name === undefined) throw new UsageError("--bearer must be env:NAME, the name of an environment variable.");
  const token = env[name];
  if (!token) throw new UsageError(`--bearer names the environment variable ${name}, which is not set.`);
  headers.set("authorization", `Bearer ${token}`);
  return headers;
}

/** Returns a `fetch` that adds the headers to requests for the origin of `url`, and to no others. */
function fetchWith(headers: Headers, url: string): typeof globalThis.fetch {
  const { origin } = new URL(url);
  return async (input, init) => {
    const request = new Request(input, init);
    if (new URL(request.url).origin === origin) for (const [name, value] of headers) request.headers.set(name, value);
    return fetch(request);
  };
}

/** Replaces the credentials in a report, where the agent repeats them. */
function withoutSecrets(report: ConformanceReport, headers: Headers): ConformanceReport {
  const values = [...headers.values()].flatMap((value) => [value, ...value.split(/\s+/).slice(1)]);
  const written = values.filter(({ length }) => length >= 4).map((value) => JSON.stringify(value).slice(1, -1));
  const text = written.reduce((whole, value) => whole.replaceAll(value, "[secret]"), JSON.stringify(report));
  return JSON.parse(text) as ConformanceReport;
}

const known: readonly ConformanceProtocol[] = ["a2a-1.0", "jsonrpc-2.0", "simple-a2a"];

export const conformanceCommand: Command = defineCommand({
  name: "conformance",
  summary:
    "Checks whether an agent complies with A2A 1.0, A2A 0.3 or Simple A2A, and says what to change. Needs no zone.",
  operands: ["[url]"],
  options: {
    protocol: {
      flags: "--protocol <protocol>",
      multiple: true,
      help: "a2a-1.0, jsonrpc-2.0 (A2A 0.3) or simple-a2a; several with commas (default: what the card offers)",
    },
    question: { flags: "--question <text>", help: 'a question that is answered (default: "Hello")' },
    slow: { flags: "--slow <text>", help: "a question whose answer takes at least two seconds" },
    ask: { flags: "--ask <text>", help: "a question that the agent answers with a question of its own" },
    file: { flags: "--file <text>", help: "a question that is answered with a file" },
    fail: { flags: "--fail <text>", help: "a question that fails" },
    header: { flags: "--header <name: value>", multiple: true, help: "a header of each request" },
    bearer: { flags: "--bearer <env:NAME>", help: "environment variable with a bearer token" },
    timeout: { flags: "--timeout <time>", help: "time limit of the whole run (default: 30s)" },
    junit: { flags: "--junit <file>", help: "also write a JUnit file, for CI" },
    badge: { flags: "--badge <file>", help: "also write a badge (SVG), for a README" },
    verbose: { flags: "--verbose", help: "also show the checks that passed or were skipped" },
    list: { flags: "--list", help: "only print the checklist" },
    json: { ...jsonOption, help: "print the report as JSON" },
  },
  examples: [
    ["crosszone conformance http://127.0.0.1:8090", "check an agent on this machine"],
    ["crosszone conformance https://a.example.com --bearer env:AGENT_TOKEN --junit report.xml", "in CI"],
    ["crosszone conformance --list", "every check with its rule and source"],
  ],
  run: async ({ values, operands: [url] }, { stdout, stderr, isLive, env, onInterrupt }) => {
    // Loaded on demand: the checks are half of this program's code, and no other command needs them.
    const { checkConformance, checklist } = await import("@crosszone/conformance");
    if (values.list) return { json: checklist, text: textOf(checklist) };
    if (url === undefined) throw new UsageError(`Missing argument. Usage: ${ownName} conformance <url>`);
    checkUrl("<url>", url);
    const protocols = protocolsOf(values.protocol);
    const headers = credentialHeaders(values, env);
    const timeoutMs = readDuration("--timeout", values.timeout ?? "30s");
    const { question, slow, ask, file, fail } = values;
    const stop = new AbortController();
    const release = onInterrupt(() => stop.abort());
    const progress = showProgress(stderr, isLive);
    try {
      const found = await checkConformance({
        url,
        protocols,
        fetch: fetchWith(headers, url),
        questions: { answered: question, slow, asksBack: ask, file, fails: fail },
        timeoutMs,
        onCheck: progress.add,
        signal: stop.signal,
      });
      const report = withoutSecrets(found, headers);
      progress.end();
      if (values.junit !== undefined) await writeReport("--junit", values.junit, junit(report));
      if (values.badge !== undefined) await writeReport("--badge", values.badge, badge(report));
      const text = { verbose: values.verbose === true, columns: stdout.columns || 160 };
      stdout.write(values.json ? `${harmlessJson(report)}\n` : reportText(report, text));
      return isUnreachable(report) ? exitCodes.refused : report.compliant ? exitCodes.done : exitCodes.failed;
    } catch (error) {
      if (!stop.signal.aborted) throw error;
      return exitCodes.interrupted;
    } finally {
      progress.end();
      release();
    }
  },
});

/** Returns every check with its level, protocols, rule and source. */
function textOf(checklist: readonly ChecklistItem[]): string {
  const items = checklist.map(({ id, title, rule, protocols }) => {
    const where = protocols.map(({ protocol, level, source }) => `  ${protocolName(protocol)}, ${level}: ${source}\n`);
    return `${id}: ${title}\n  ${rule}\n${where.join("")}`;
  });
  return `${items.join("\n")}\n${checklist.length} checks.\n`;
}

function protocolsOf(given: readonly string[] | undefined): readonly ConformanceProtocol[] | undefined {
  return given
    ?.flatMap((each) => each.split(","))
    .map((name) => {
      const protocol = known.find((each) => each === name.trim());
      if (protocol !== undefined) return protocol;
      throw new UsageError(`--protocol must be ${known.join(", ")}, got "${harmlessLine(name)}".`);
    });
}

/** Whether no request got an HTTP response. */
function isUnreachable({ checks }: ConformanceReport): boolean {
  const failed = checks.filter(({ status }) => status === "failed");
  const isSilent = failed.every(({ received }) => received && received.status === undefined);
  return failed.length > 0 && isSilent && !checks.some(({ status }) => status === "passed");
}

/** Shows how many checks are done on one line of a terminal, and nothing elsewhere. `end` removes the line and can be called again. */
function showProgress(output: Output, isLive: boolean) {
  if (!isLive) return { add: () => {}, end: () => {} };
  const log = createLogUpdate(output);
  const counts = { passed: 0, failed: 0, skipped: 0 };
  log("Checking…");
  return {
    add: ({ status, title }: ConformanceCheck): void => {
      counts[status] += 1;
      const { passed, failed, skipped } = counts;
      log(`Checking… ${passed} passed, ${failed} failed, ${skipped} skipped: ${title}`);
    },
    end: (): void => {
      log.clear();
      log.done();
    },
  };
}

export const agentConformance = actRow({
  name: "agents conformance",
  operation: "checkAgentConformance",
  summary:
    "Checks whether a registered agent complies with its protocol. The zone sends the checks, with the agent's secrets.",
  operands: { name: "<agent>" },
  options: { verbose: { flags: "--verbose", help: "also show the checks that passed or were skipped" } },
  examples: [["crosszone agents conformance counter --protocol a2a-1.0", "before you move it"]],
  show: (report, { values: { verbose = false }, session: { stdout } }) => {
    const text = reportText(report, { verbose, columns: stdout.columns || 160 });
    return { text, isDone: report.compliant };
  },
});
