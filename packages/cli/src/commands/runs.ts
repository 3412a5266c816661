import { isRunState, type WorkflowRunSummary } from "@crosszone/contracts";
import { openInputs } from "../api/inputs-api.ts";
import { type Command, defineCommand, jsonOption } from "../program/command.ts";
import { namesOf, pageNotice, pageOptions, readName, readPage } from "../program/options.ts";
import { followRun } from "../progress/follow-run.ts";
import { styled } from "../progress/displays.ts";
import { waitsText } from "../text/input-text.ts";
import { momentText, table, takesOf } from "../text/terminal-text.ts";
import { isFromSlack, runIdOf } from "./unknown-names.ts";
import { runText, printResult } from "./run.ts";

export const listRuns: Command = defineCommand({
  name: "runs list",
  summary: "Lists runs, newest first.",
  operands: [],
  options: {
    workflow: { flags: "--workflow <workflow>", help: "only runs of this workflow" },
    state: { flags: "--state <state>", help: `only runs in this state: ${namesOf(isRunState).join(", ")}` },
    ...pageOptions,
    json: jsonOption,
  },
  examples: [["crosszone runs list --state failed", "the latest failures"]],
  run: async ({ values: { workflow, state: only, ...page } }, { api, env, stdout }) => {
    const state = only === undefined ? undefined : readName("--state", only, isRunState);
    const query = { ...readPage(page), ...(workflow && { workflow_id: workflow }), state };
    const list = await api().runs(query);
    const rows = list.runs.map((run) => [
      run.run_id,
      run.workflow_id,
      run.version,
      run.state,
      momentText(run.created_at, stdout),
      takesOf(run),
    ]);
    const head = ["RUN", "WORKFLOW", "VERSION", "STATE", "CREATED", "TOOK"];
    const text = list.total === 0 ? "No runs.\n" : table(head, rows, styled(stdout, env));
    return { json: list, text, notice: pageNotice(list, rows.length) };
  },
});

export const showRun: Command = defineCommand({
  name: "runs show",
  summary: "Shows a run, its steps and its output.",
  operands: ["<run>"],
  options: { json: jsonOption },
  examples: [["crosszone runs show 7c9e… --json | jq .output", "print only the output"]],
  run: async ({ operands: [name = ""] }, session) => {
    const api = session.api();
    const run = await api.run(await runIdOf(api, name));
    const waits = run.steps.some(({ type, state }) => type === "human" && state === "running");
    const inputs = waits ? await openInputs(api.inputs, { run_id: run.run_id }) : [];
    return { json: run, text: runText(run, api.pageOf(run.run_id), session) + waitsText(inputs) };
  },
});

export const watchRun: Command = defineCommand({
  name: "runs watch",
  summary: "Shows the progress of a run, and prints its output at the end. Ctrl-C leaves the run running.",
  operands: ["<run>"],
  options: { json: { ...jsonOption, help: "print the whole run as JSON at the end" } },
  examples: [["crosszone runs watch 7c9e…", "resume watching a run"]],
  run: async ({ values: { json = false }, operands: [name = ""] }, session) => {
    const api = session.api();
    const runId = await runIdOf(api, name);
    return printResult(await followRun(api, session, { runId, headline: api.pageOf(runId) }), { ...session, json });
  },
});

export const cancelRun: Command = defineCommand({
  name: "runs cancel",
  summary: "Cancels a run and its tasks at agents.",
  operands: ["<run>"],
  options: { json: jsonOption },
  examples: [["crosszone runs cancel 7c9e…", "stop the run"]],
  run: async ({ operands: [name = ""] }, session) => {
    const api = session.api();
    const run = await api.cancel(await runIdOf(api, name));
    return { json: run, text: `${changeText(run)}\n` };
  },
});

export const retryRun: Command = defineCommand({
  name: "runs retry",
  summary: "Retries a failed or timed-out run from the step that failed.",
  operands: ["<run>"],
  options: {
    watch: { flags: "--watch", help: "show the progress, and print the output at the end" },
    json: jsonOption,
  },
  examples: [["crosszone runs retry 7c9e… --watch", "retry, and watch"]],
  run: async ({ values: { watch, json = false }, operands: [name = ""] }, session) => {
    const api = session.api();
    const run = await api.retry(await runIdOf(api, name));
    const text = `${changeText(run)}${(await isFromSlack(api.tasks, run)) ? ". The answer will be posted in its thread." : ""}`;
    if (watch === true)
      return printResult(await followRun(api, session, { runId: run.run_id, headline: text }), { ...session, json });
    return { json: run, text: `${text}\n` };
  },
});

const changeText = ({ run_id, state, workflow_id }: WorkflowRunSummary): string =>
  `run ${run_id} of ${workflow_id} is ${state}`;
