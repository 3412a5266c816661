import { zoneMethods, ZoneError, type TaskEvent, type ZoneMethods } from "@crosszone/contracts";
import {
  createClient,
  createDispatcher,
  createInProcessTransport,
  errorToJson,
  notificationText,
  type Call,
  type Client,
} from "@crosszone/jsonrpc";

/** The result of a method. */
export type ZoneAnswer<M extends keyof ZoneMethods> = ZoneMethods[M]["result"];

/** Sends a task event before the result. */
type Show = (event: TaskEvent) => void;

type Script<M extends keyof ZoneMethods> = (
  params: ZoneMethods[M]["params"],
  call: Call & { readonly show: Show },
) => Promise<ZoneAnswer<M>> | ZoneAnswer<M>;

export interface ZoneCall {
  readonly method: keyof ZoneMethods;
  readonly params: Record<string, unknown>;
  readonly id: Call["id"];
  readonly session: string;
}

export interface ScriptedZone {
  readonly zone: Client<ZoneMethods>;
  /** Every request that arrived, oldest first. */
  readonly calls: ZoneCall[];
  /** The requests of one method. */
  of(method: keyof ZoneMethods): ZoneCall[];
  /** Sets what a method does from now on. */
  on<M extends keyof ZoneMethods>(method: M, answer: Script<M>): void;
}

interface Context {
  readonly correlationId: string;
  readonly session: string;
  readonly show: Show;
}

type Scripts = { [M in keyof ZoneMethods]: Script<M> };

/** Makes an execution zone with scripted results: the real client, dispatcher and codec, without a network. */
export function createScriptedZone(): ScriptedZone {
  const calls: ZoneCall[] = [];
  const scripts: Scripts = {
    execute_task: ({ text }) => ({ status: "success", response_text: `You said: ${text}` }),
    get_async_task_result: ({ task_id }) => ({ status: "working", task_id }),
    cancel_task: ({ task_id }) => ({ task_id, status: "canceled" }),
    list_agents: () => ({ agents: [{ name: "builtin", description: "Knows things.", default: true, skills: [] }] }),
    read_task_file: () => ({ bytes: "" }),
    get_agent_card: () => Promise.reject(new ZoneError("internal")),
    get_usage: () => Promise.reject(new ZoneError("internal")),
  };
  const run = <M extends keyof ZoneMethods>(
    method: M,
    params: ZoneMethods[M]["params"],
    { session, show, call }: Context & { readonly call: Call },
  ): ReturnType<Script<M>> => {
    calls.push({ method, params, id: call.id, session });
    return scripts[method](params, { ...call, show });
  };
  const dispatch = createDispatcher<ZoneMethods, Context>({
    methods: zoneMethods,
    handlers: {
      execute_task: async (params, context, call) => run("execute_task", params, { ...context, call }),
      get_async_task_result: async (params, context, call) =>
        run("get_async_task_result", params, { ...context, call }),
      cancel_task: async (params, context, call) => run("cancel_task", params, { ...context, call }),
      list_agents: async (params, context, call) => run("list_agents", params, { ...context, call }),
      read_task_file: async (params, context, call) => run("read_task_file", params, { ...context, call }),
      get_agent_card: async (params, context, call) => run("get_agent_card", params, { ...context, call }),
      get_usage: async (params, context, call) => run("get_usage", params, { ...context, call }),
    },
    batches: "refuse",
    errorToJson,
  });
  const transport = createInProcessTransport((message, { correlationId, session, notify }) => {
    const show: Show = (event) => void notify?.(notificationText("task_event", event));
    return dispatch(message, { correlationId, session, show });
  });
  return {
    zone: createClient<ZoneMethods>({ methods: zoneMethods, transport, timeoutMs: 5_000 }),
    calls,
    of: (method) => calls.filter((call) => call.method === method),
    on: (method, answer) => {
      Object.assign(scripts, { [method]: answer });
    },
  };
}

/** Returns a script step that fails with an error of the catalog. */
export function failing(...[kind, data]: ConstructorParameters<typeof ZoneError>): () => never {
  return () => {
    throw new ZoneError(kind, data);
  };
}
