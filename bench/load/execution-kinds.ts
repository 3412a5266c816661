import { randomUUID } from "node:crypto";
import { isRightAnswer, productOf, type Judge, type Kind, type LoadAnswer, type LoadRequest } from "./kinds.ts";

interface RpcAnswer {
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number };
  readonly id?: unknown;
}

/** A task that has its answer. */
interface FinishedTask {
  readonly n: number;
  readonly id: string;
  readonly taskId: string;
}

const mostRemembered = 200;

/** What the execution zone receives, in addition to the requests of verification: 500 of 1,000 requests. */
export function executionKinds(token: string): Kind[] {
  const send = sender(token);
  const { execute, later } = createTasks(send);
  const resend = ({ n, id, taskId }: FinishedTask): LoadRequest =>
    send.call(executionOf(n, id), (answer) => resultOf(answer)["task_id"] === taskId);
  const poll = ({ n, taskId }: FinishedTask): LoadRequest =>
    send.call({ method: "get_async_task_result", params: { task_id: taskId } }, (answer) =>
      isRightAnswer(n, textOf(answer)),
    );
  const agents: Judge = (answer) => Array.isArray(resultOf(answer)["agents"]);
  const executeTask = (n: number): string => rpc(executionOf(n));
  const refused = codeIs(-32_014, 401);

  const kinds: readonly (readonly [name: string, perMille: number, deserves: string, make: Kind["make"]])[] = [
    ["`execute_task`", 180, "the right answer", execute],
    ["`execute_task`, sent again", 60, "the same task", (n) => later(n, resend)],
    ["`get_async_task_result`", 80, "its answer", (n) => later(n, poll)],
    ["`list_agents`", 60, "the agents", () => send.call({ method: "list_agents" }, agents)],
    ["wrong token", 80, "401", (n) => send.text(executeTask(n), refused, { authorization: `Bearer ${token}x` })],
    ["not JSON", 40, "-32700", () => send.text('{"jsonrpc":"2.0",', codeIs(-32_700))],
  ];
  return kinds.map(([name, perMille, deserves, make]) => ({ name, zone: "execution", perMille, deserves, make }));
}

type Sender = ReturnType<typeof sender>;

/** Requests with the right token: of any text, and of a call that is answered under its own id. */
function sender(token: string) {
  const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
  const text = (body: string, judge: Judge, more: Record<string, string> = {}): LoadRequest => ({
    method: "POST",
    path: "/rpc",
    headers: { ...headers, ...more },
    body,
    judge,
  });
  const call = ({ id = randomUUID(), ...request }: RpcRequest, judge: Judge): LoadRequest =>
    text(rpc({ ...request, id }), (answer) => judge(answer) && read(answer).id === id);
  return { text, call };
}

/** Executes tasks, and remembers the last ones that have their answer. */
function createTasks(send: Sender) {
  const finished: FinishedTask[] = [];
  const execute = (n: number): LoadRequest => {
    const id = randomUUID();
    const judge: Judge = (answer) => {
      const { status, task_id } = resultOf(answer);
      finished.push({ n, id, taskId: String(task_id) });
      if (finished.length > mostRemembered) finished.shift();
      return status === "success" && isRightAnswer(n, textOf(answer));
    };
    return send.call(executionOf(n, id), judge);
  };
  /** A request for a task that was answered before; until one was, a new task. */
  const later = (n: number, make: (task: FinishedTask) => LoadRequest): LoadRequest => {
    const task = finished[n % Math.max(1, finished.length)];
    return task === undefined ? execute(n) : make(task);
  };
  return { execute, later };
}

const taskParams = (n: number): object => ({
  channel: "C0LOAD00000",
  text: productOf(n),
  bot_token: "handle-of-the-load",
  thread_ts: "1763611200.000100",
});

interface RpcRequest {
  readonly method: string;
  readonly params?: object;
  readonly id?: string;
}

const executionOf = (n: number, id?: string): RpcRequest => ({ method: "execute_task", params: taskParams(n), id });

const rpc = ({ method, params = {}, id = randomUUID() }: RpcRequest): string =>
  JSON.stringify({ jsonrpc: "2.0", method, params, id });

const read = ({ body }: LoadAnswer): RpcAnswer => JSON.parse(body) as RpcAnswer;

const resultOf = (answer: LoadAnswer): Record<string, unknown> => (answer.status === 200 && read(answer).result) || {};

const textOf = (answer: LoadAnswer): string => String(resultOf(answer)["response_text"]);

const codeIs =
  (code: number, status = 200): Judge =>
  (answer) =>
    answer.status === status && read(answer).error?.code === code;
