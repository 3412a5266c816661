import { isRunState, type RunState, type WorkflowRunSummary } from "@crosszone/contracts";
import type { ApiClient } from "../api/api-client.ts";
import { type Command, defineCommand, jsonOption } from "../program/command.ts";
import { didYouMean, exitCodes, UsageError } from "../program/errors.ts";
import { pageNotice, pageOptions, readPage } from "../program/options.ts";
import { followRun } from "../progress/follow-run.ts";
import { harmlessJson, table, takesOf } from "../text/terminal-text.ts";
import { runText, printResult } from "./run-text.ts";

const states = ["pending", "running", "succeeded", "failed", "canceled", "timed_out"] satisfies RunState[];

export const listRuns: Command = defineCommand({
  name: "runs list",
  summary: "Lists runs, newest first.",
  operands: [],
  options: {
    workflow: { flags: "--workflow <workflow>", help: "only runs of this workflow" },
    state: { flags: "--state <state>", help: `only runs in this state: ${states.join(", ")}` },
    ...pageOptions,
    json: jsonOption,
  },
  examples: [["crosszone runs list --state failed", "the latest failures"]],
  run: async ({ values: { workflow, state, json, ...page } }, { api, stdout, stderr }) => {
    if (state !== undefined && !isRunState(state))
      throw new UsageError(`--state must be one of ${states.join(", ")}.${didYouMean(state, states)}`);
    const query = { ...readPage(page), ...(workflow && { workflow_id: workflow }), ...(state && { state }) };
    const list = await api().runs(query);
    const rows = list.runs.map((run) => [
      run.run_id,
      run.workflow_id,
      run.version,
      run.state,
      run.created_at,
      takesOf(run),
    ]);
    stdout.write(
      json ? `${harmlessJson(list)}\n` : table(["RUN", "WORKFLOW", "VERSION", "STATE", "CREATED", "TOOK"], rows),
    );
    if (!json) stderr.write(pageNotice(list, rows.length));
    return exitCodes.done;
  },
});

export const showRun: Command = defineCommand({
  name: "runs show",
  summary: "Shows a run, its steps and its output.",
  operands: ["<run>"],
  options: { json: jsonOption },
  examples: [["crosszone runs show 7c9e… --json | jq .output", "print only the output"]],
  run: async ({ values: { json }, operands: [runId = ""] }, { api: open, stdout }) => {
    const api = open();
    const run = await api.run(runId);
    stdout.write(json ? `${harmlessJson(run)}\n` : runText(run, api.pageOf(runId)));
    return exitCodes.done;
  },
});

export const watchRun: Command = defineCommand({
  name: "runs watch",
  summary: "Shows the progress of a run, and prints its output at the end. Ctrl-C leaves the run running.",
  operands: ["<run>"],
  options: { json: { ...jsonOption, help: "print the whole run as JSON at the end" } },
  examples: [["crosszone runs watch 7c9e…", "resume watching a run"]],
  run: async ({ values: { json = false }, operands: [runId = ""] }, session) => {
    const api = session.api();
    return printResult(await followRun(api, session, { runId, headline: api.pageOf(runId) }), { ...session, json });
  },
});

export const cancelRun: Command = changingCommand({
  name: "runs cancel",
  summary: "Cancels a run and its tasks at agents.",
  examples: [["crosszone runs cancel 7c9e…", "stop the run"]],
  change: (api, runId) => api.cancel(runId),
});

export const retryRun: Command = changingCommand({
  name: "runs retry",
  summary: "Retries a failed or timed-out run from the step that failed.",
  examples: [["crosszone runs retry 7c9e… && crosszone runs watch 7c9e…", "retry, then watch"]],
  change: (api, runId) => api.retry(runId),
});

interface RunChange extends Pick<Command, "name" | "summary" | "examples"> {
  readonly change: (api: ApiClient, runId: string) => Promise<WorkflowRunSummary>;
}

/** A command that changes a run and prints its new state. */
function changingCommand({ change, ...texts }: RunChange): Command {
  return defineCommand({
    ...texts,
    operands: ["<run>"],
    options: { json: jsonOption },
    run: async ({ values: { json }, operands: [runId = ""] }, { api, stdout }) => {
      const run = await change(api(), runId);
      stdout.write(json ? `${harmlessJson(run)}\n` : `run ${run.run_id} of ${run.workflow_id} is ${run.state}\n`);
      return exitCodes.done;
    },
  });
}
