import { type InputRequest, ZoneError, type ZoneMethods } from "@crosszone/contracts";
import type { VerificationDeps } from "@crosszone/verification";

/** An execution zone with one task that waits for requests. Its answers are judged by name and group only. */
export interface AnsweringZone {
  readonly zone: VerificationDeps["zone"];
  readonly requests: InputRequest[];
}

/** Returns a request of the task, which alice decides. */
export function inputRequest(more: Partial<InputRequest> = {}): InputRequest {
  return {
    request_id: `inp_${"0".repeat(16)}`,
    task_id: "task-12345678",
    kind: "approve",
    state: "open",
    version: 1,
    seq: 1,
    title: "Deploy version 1.2?",
    body: "It has **three** changes.",
    decide: { people: ["U0ALICE0001"], groups: [], requester: false, approve: 1, deny: 1 },
    visibility: "thread",
    agent: "builtin",
    created_at: "2026-01-01T00:00:00Z",
    expires_at: "2099-01-01T00:00:00Z",
    votes: [],
    ...more,
  };
}

const states = { approve: "approved", deny: "denied", answer: "answered" } as const;

type Handlers = { [M in keyof ZoneMethods]?: (params: ZoneMethods[M]["params"]) => ZoneMethods[M]["result"] };

/** Makes the zone. */
export function createAnsweringZone(...requests: InputRequest[]): AnsweringZone {
  const task_id = "task-12345678";
  const result = (): ZoneMethods["get_async_task_result"]["result"] => {
    const open = requests.filter(({ state }) => state === "open");
    if (open.length > 0) return { status: "input_required", task_id, input_requests: open };
    const answers = requests.map(({ state, answer }) => `${state} ${JSON.stringify(answer)}`);
    return { status: "success", task_id, response_text: `Done: ${answers.join(", ")}` };
  };
  const find = (id: string): InputRequest => {
    const found = requests.find(({ request_id }) => request_id === id);
    if (found === undefined) throw new ZoneError("input_request_not_found");
    return found;
  };
  const handlers: Handlers = {
    execute_task: () => result() as ZoneMethods["execute_task"]["result"],
    get_async_task_result: result,
    list_agents: () => ({ agents: [] }),
    get_input_request: ({ request_id }) => find(request_id),
    list_input_requests: ({ after_seq = 0 }) => {
      const changed = requests.filter(({ seq }) => seq > after_seq);
      return { input_requests: changed, last_seq: Math.max(after_seq, ...changed.map(({ seq }) => seq)) };
    },
    answer_input: ({ request_id, answer, by }) => {
      const request = find(request_id);
      if (request.state !== "open") return { outcome: "already_decided", input_request: request };
      const isMember = by.groups.some((group) => request.decide.groups.includes(group));
      if (!request.decide.people.includes(by.user_id) && !isMember)
        return { outcome: "not_eligible", input_request: request };
      const at = "2026-01-02T00:00:00Z";
      const vote = { user_id: by.user_id, verdict: answer.verdict, via: "slack" as const, at };
      const version = request.version + 1;
      const seq = Math.max(...requests.map((one) => one.seq)) + 1;
      Object.assign(request, { state: states[answer.verdict], version, seq, answer, votes: [vote], decided_at: at });
      return { outcome: "decided", input_request: request };
    },
  };
  const call = async (method: keyof ZoneMethods, params: never): Promise<unknown> => {
    const handler = handlers[method] as ((given: never) => unknown) | undefined;
    if (handler === undefined) throw new ZoneError("internal");
    return structuredClone(handler(params));
  };
  return { zone: { call } as VerificationDeps["zone"], requests };
}
