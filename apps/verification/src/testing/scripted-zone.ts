import { zoneMethods, ZoneError, type TaskEvent, type ZoneMethods } from "@crosszone/contracts";
import {
  createClient,
  createDispatcher,
  createInProcessTransport,
  notificationText,
  type Call,
  type MethodHandlers,
} from "@crosszone/jsonrpc";

/** The result of a method. */
export type ZoneAnswer<M extends keyof ZoneMethods> = ZoneMethods[M]["result"];

/** Sends a task event before the result. */
type Show = (event: TaskEvent) => void;

type Script<M extends keyof ZoneMethods> = (
  params: ZoneMethods[M]["params"],
  call: Call & { readonly show: Show },
) => Promise<ZoneAnswer<M>> | ZoneAnswer<M>;

interface ZoneCall {
  readonly method: keyof ZoneMethods;
  readonly params: Record<string, unknown>;
  readonly id: Call["id"];
  readonly session: string;
}

export type ScriptedZone = ReturnType<typeof createScriptedZone>;

interface Context {
  readonly correlationId: string;
  readonly session: string;
  readonly show: Show;
}

type Scripts = { [M in keyof ZoneMethods]: Script<M> };

/** Makes an execution zone with scripted results: the real client, dispatcher and codec, without a network. */
export function createScriptedZone() {
  const calls: ZoneCall[] = [];
  const scripted = Promise.withResolvers<void>();
  const held = Promise.withResolvers<ZoneAnswer<"list_fires">>();
  const refuse = () => Promise.reject(new ZoneError("internal"));
  const others = Object.fromEntries(Object.keys(zoneMethods).map((name) => [name, refuse]));
  const scripts: Scripts = {
    ...(others as Record<keyof ZoneMethods, typeof refuse>),
    execute_task: ({ text }) => ({ status: "success", response_text: `You said: ${text}` }),
    get_async_task_result: ({ task_id }) => ({ status: "working", task_id }),
    get_run_change: () => ({ changed: true }),
    cancel_task: ({ task_id }) => ({ task_id, status: "canceled" }),
    list_agents: () => ({ agents: [{ name: "builtin", description: "Knows things.", default: true, skills: [] }] }),
    list_person_tasks: () => ({ tasks: [] }),
    read_task_file: () => ({ bytes: "" }),
    report_messages: () => ({}),
    // Nothing changes, so a call that waits is held, until there is another script.
    list_input_requests: async ({ wait_ms }) => {
      if (wait_ms !== undefined) await scripted.promise;
      return { input_requests: [], last_seq: 0 };
    },
    list_fires: () => held.promise,
    list_schedules: () => ({ schedules: [] }),
  };
  const run = <M extends keyof ZoneMethods>(
    method: M,
    params: ZoneMethods[M]["params"],
    { session, show, call }: Context & { readonly call: Call },
  ): ReturnType<Script<M>> => {
    if (method !== "list_input_requests" && method !== "list_fires")
      calls.push({ method, params: { ...params }, id: call.id, session });
    return scripts[method](params, { ...call, show });
  };
  const handlers = Object.fromEntries(
    (Object.keys(zoneMethods) as (keyof ZoneMethods)[]).map((method) => [
      method,
      async (params: never, context: Context, call: Call) => run(method, params, { ...context, call }),
    ]),
  ) as unknown as MethodHandlers<ZoneMethods, Context>;
  const dispatch = createDispatcher<ZoneMethods, Context>({
    methods: zoneMethods,
    handlers,
    batches: "refuse",
  });
  const transport = createInProcessTransport((message, { correlationId, session, notify }) => {
    const show: Show = (event) => void notify?.(notificationText("task_event", event));
    return dispatch(message, { correlationId, session, show });
  });
  return {
    zone: createClient<ZoneMethods>({ methods: zoneMethods, transport, timeoutMs: 30_000 }),
    /** Every request that arrived, oldest first, without the polls for input requests and fires, which are always there. */
    calls,
    /** The requests of one method. */
    of: (method: keyof ZoneMethods) => calls.filter((call) => call.method === method),
    /** The parameters of the requests of one method. */
    params: (method: keyof ZoneMethods) => calls.flatMap((call) => (call.method === method ? [call.params] : [])),
    /** Sets what a method does from now on. */
    on: <M extends keyof ZoneMethods>(method: M, answer: Script<M>): void => {
      Object.assign(scripts, { [method]: answer });
      if (method === "list_input_requests") scripted.resolve();
      if (method === "list_fires") held.resolve({ fires: [] });
    },
  };
}

/** Returns a script step that fails with an error of the catalog. */
export function failing(...[kind, data]: ConstructorParameters<typeof ZoneError>): () => never {
  return () => {
    throw new ZoneError(kind, data);
  };
}
