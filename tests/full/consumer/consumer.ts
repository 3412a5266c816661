/** A program of a user of the package. Every compiler must report the same type errors. */
import {
  errorTable,
  problemsOf,
  ZoneError,
  zoneMethods,
  type ErrorKind,
  type ExecuteTaskResult,
  type ZoneMethods,
} from "@crosszone/contracts";
import openRpc from "@crosszone/contracts/openrpc.json" with { type: "json" };

type Handlers = { [M in keyof ZoneMethods]: (params: ZoneMethods[M]["params"]) => ZoneMethods[M]["result"] };

const task_id = "task_01JD2Q8Z6V3N4M5K7P9R0S1T2W";
const card: ZoneMethods["get_agent_card"]["result"] = {
  name: "zone",
  description: "",
  version: "1.0.0",
  supportedInterfaces: [],
  capabilities: {},
  defaultInputModes: [],
  defaultOutputModes: [],
  skills: [],
};
const unused: ZoneMethods["get_usage"]["result"]["day"] = {
  calls: 0,
  estimated_calls: 0,
  unpriced_calls: 0,
  input_tokens: 0,
  output_tokens: 0,
  cached_input_tokens: 0,
  cost: null,
};
const asked: ZoneMethods["get_input_request"]["result"] = {
  request_id: "inp_0123456789abcdef",
  kind: "approve",
  state: "open",
  version: 1,
  seq: 1,
  title: "Send it?",
  decide: { people: ["U1"], groups: [], requester: false, approve: 1, deny: 1 },
  visibility: "thread",
  agent: "assistant",
  created_at: "2026-11-25T12:00:00Z",
  expires_at: "2026-11-26T12:00:00Z",
  votes: [],
};
const schedule = {
  state: "active",
  source: "slack",
  next_at: [] as string[],
  changed_at: "2026-11-28T08:00:00Z",
  changed_by: "person:U1",
} as const;
const handlers: Handlers = {
  execute_task: ({ text }) =>
    text === "" ? { status: "accepted", task_id } : { status: "success", response_text: text },
  get_async_task_result: (params) => ({ status: "working", task_id: params.task_id }),
  cancel_task: (params) => ({ status: "canceled", task_id: params.task_id }),
  answer_input: () => ({ outcome: "decided", input_request: asked }),
  get_input_request: () => asked,
  claim_input_request: () => asked,
  list_input_requests: () => ({ input_requests: [asked], last_seq: asked.seq }),
  list_agents: () => ({ agents: [] }),
  read_task_file: () => ({ bytes: "" }),
  get_agent_card: () => card,
  check_token: () => ({ name: "ci" }),
  get_run_change: () => ({ changed: false }),
  list_person_tasks: () => ({ tasks: [] }),
  report_messages: () => ({}),
  list_fires: () => ({ fires: [] }),
  take_fire: () => ({ state: "running" }),
  list_schedules: () => ({ schedules: [] }),
  save_schedule: ({ name, settings }) => ({ schedule: { ...schedule, name, settings } }),
  change_schedule: () => ({}),
  get_usage: () => ({ day: unused, month: unused, budgets: [] }),
};

// @ts-expect-error a kind that is not in the catalog
const unknownKind: ErrorKind = "out_of_coffee";
// @ts-expect-error an answer without its text
const incomplete: ExecuteTaskResult = { status: "success" };
// @ts-expect-error a handler for every method
const few: Handlers = { execute_task: handlers.execute_task };

const refused = new ZoneError("invalid_params", { problems: problemsOf(zoneMethods.cancel_task.params, {}) });
const lines = [
  handlers.execute_task({ channel: "C024BE91L", text: "Hello", bot_token: "one-task-handle" }).status,
  zoneMethods.execute_task.result(incomplete),
  errorTable[refused.kind].code,
  refused.data.problems?.map(({ pointer }) => pointer).join(" "),
  openRpc.methods.map(({ name }) => name).join(" "),
  [unknownKind in errorTable, Object.keys(few).length].join(" "),
];
for (const line of lines) console.log(line);
