import { registerHooks } from "node:module";

/** A text of the product's source and its replacement. */
interface Change {
  /** The end of the module's path. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

interface PlantedBug extends Change {
  readonly is: string;
  /** Another text that must change too. */
  readonly also?: Change;
}

const bugs = {
  "early-ack": {
    is: "events are acknowledged 200 ms before they are stored",
    file: "apps/verification/src/edge/event-intake.ts",
    from: "const verdict = await retryStore(() => inbox.accept(record));",
    to: `setTimeout(() => void retryStore(() => inbox.accept(record)).catch(() => undefined), 200);
    const verdict = "accepted" as const;`,
  },
  "early-post": {
    is: "answers are posted before they are stored",
    file: "apps/verification/src/asking/question-flow.ts",
    from: "await inbox.note(leased, { answer },",
    to: "const note = async (...noted: Parameters<typeof inbox.note>) => void clock.sleep(500).then(() => inbox.note(...noted)).catch(() => undefined);\n    await note(leased, { answer },",
  },
  "no-fence": {
    is: "a job can be ended by a process that has lost it",
    file: "packages/jobs/src/store/job-statements.ts",
    from: "from ${rows} where ${isLeasedText}`",
    to: "from ${rows} where ${set.includes('outcome') ? 'job.id = new.id and job.state = 1' : isLeasedText}`",
  },
  "no-renewal": {
    is: "leases are not renewed",
    file: "packages/jobs/src/store/job-lease.ts",
    from: ".set({ alive_until: until() })",
    to: ".set({ owner })",
  },
  "lost-wake": {
    is: "a worker that sleeps is not woken",
    file: "packages/jobs/src/worker/job-worker.ts",
    from: "ring?.();",
    to: "",
  },
  "lost-parent-wake": {
    is: "a task is not woken by the end of its agent call",
    file: "packages/jobs/src/worker/end-watch.ts",
    from: "const waitsHere = watch.deliver(ending.leaseId.id, { result });",
    to: "const waitsHere = true;",
  },
  "no-search": {
    is: "an answer is posted again without a search for what a process that died has posted",
    file: "apps/verification/src/showing/send-once.ts",
    from: "let search = doubtful;",
    to: "let search = false;",
  },
  "kept-status": {
    is: "the work on a thread that a process has left is never shown as ended",
    file: "apps/verification/src/asking/question-flow.ts",
    from: "const isShown = task.isShown || leased.attempt > 1;",
    to: "const isShown = task.isShown && leased.attempt === 1;",
  },
  "new-key": {
    is: "a process that repeats an agent call gives it another key",
    file: "packages/agent-bridge/src/calls/open-call.ts",
    from: 'headers["idempotency-key"] = [task.run_id, task.task_id]',
    to: 'headers["idempotency-key"] = [task.run_id, task.task_id, String(Math.random())]',
  },
  "no-condition": {
    is: "a decision is stored without its condition",
    file: "apps/execution/src/people/input-store.ts",
    from: '.where("version", "=", version)',
    to: "",
    also: {
      file: "apps/execution/src/people/apply-change.ts",
      from: "const request = await store.change",
      to: "await new Promise((resolve) => setTimeout(resolve, 1_000));\n      const request = await store.change",
    },
  },
  "lost-task-wake": {
    is: "a task is woken neither by the decision that it waits for nor by its run",
    file: "apps/execution/src/people/input-store.ts",
    from: "task_id !== undefined ? [id, task_id] : [id]",
    to: "task_id !== undefined ? [id] : [id]",
    also: {
      file: "packages/workflow/src/runner/commit-turns.ts",
      from: "plan.definition, after.steps)) ? [task] : [])",
      to: "plan.definition, after.steps)) ? [] : [])",
    },
  },
  "no-order": {
    is: "questions of one thread are processed at the same time",
    file: "packages/jobs/src/store/job-statements.ts",
    from: "${inLane(isHead)} or ${inLane(`state = ${behind}`)} as is_behind",
    to: "false as is_behind",
    also: {
      file: "packages/jobs/src/table/job-tables.ts",
      from: "create unique index job_lane",
      to: "create index job_lane",
    },
  },
  "forgotten-messages": {
    is: "after 25 hours, it is forgotten which messages were answered",
    file: "apps/verification/src/zone/open-zone.ts",
    from: "before: claims, only: ofMessage",
    to: "before: after(claimsMs), only: ofMessage",
  },
  "new-edits": {
    is: "a corrected message is a new question",
    file: "apps/verification/src/edge/slack-event.ts",
    from: "messageClaim(head.team_id, channel, ts)],",
    to: 'messageClaim(head.team_id, channel, `${ts} ${String(message.edited?.["ts"])}`)],',
    also: {
      file: "apps/verification/src/edge/message-meaning.ts",
      from: 'if (edited !== undefined && thread?.isAnswered === true) return ignored("edited");',
      to: "",
    },
  },
  "unseen-deletion": {
    is: "a deleted message is answered",
    file: "apps/verification/src/edge/message-meaning.ts",
    from: "if (deleted !== undefined) return judgeDeletion(event, deleted, context);",
    to: 'if (deleted !== undefined) return ignored("deleted");',
  },
  "early-read": {
    is: "a conversation counts as read before what was found there is stored",
    file: "apps/verification/src/edge/sweep.ts",
    from: "      const from = Math.max(",
    to: "      await store.read(leased, { channel: id, asked });\n      const from = Math.max(",
  },
  "typed-decision": {
    is: "a typed word counts as a decision",
    file: "apps/verification/src/asking/notices.ts",
    from: "if (request === undefined) continue;",
    to: `if (request === undefined) continue;
    const approval = { request_id, answer: { verdict: "approve" as const }, by: { user_id, team_id: record.team_id, groups: [] } };
    await link.call("answer_input", { ...approval, voters: [], digest: request.action?.digest }, call).catch(() => undefined);`,
  },
  "asked-word": {
    is: "a typed decision is a question",
    file: "apps/verification/src/edge/event-intake.ts",
    from: ": awaited.length > 0",
    to: ": awaited.length > 99",
  },
  "old-words": {
    is: "a question that waits keeps its old words",
    file: "apps/verification/src/edge/event-intake.ts",
    from: "const amended = { ...next, ...kept, edited_ts };",
    to: "const amended = { ...next, ...kept, text: record.text, edited_ts };",
  },
  "used-again": {
    is: "an approval can be used again after a kill",
    file: "apps/execution/src/people/input-record.ts",
    from: 'result: isSame ? "again" : "changed"',
    to: 'result: isSame ? "allowed" : "changed"',
  },
  "asked-twice": {
    is: "a call that waits is asked again",
    file: "apps/execution/src/tasks/task-inputs.ts",
    from: "const same = await requests.sameCalls(inputs);",
    to: "const same = new Map<string, InputRequest>();",
    also: {
      file: "apps/execution/src/people/input-statements.ts",
      from: "return [stored, job, ...withoutEqual(db, request, queries)];",
      to: "return [stored, job];",
    },
  },
  "unchecked-post": {
    is: "an answer stays where Slack posts it when its thread is gone",
    file: "apps/verification/src/slack/web-api.ts",
    from: "const isElsewhere = thread_ts !== undefined &&",
    to: "const isElsewhere = false && thread_ts !== undefined &&",
  },
  "again-due": {
    is: "a schedule that fired is due again",
    file: "apps/execution/src/fires/schedule-fires.ts",
    from: "times.next(until)",
    to: "times.next(until - 1)",
    also: {
      file: "apps/execution/src/fires/fire-store.ts",
      from: "occasion: columnText(occasion)",
      to: "occasion: columnText(fire_id)",
    },
  },
  "lost-time": {
    is: "the first of several missed times is lost",
    file: "apps/execution/src/fires/schedule-fires.ts",
    from: "{ from: row.next_at, until,",
    to: "{ from: row.next_at + 1, until,",
  },
  "no-cap": {
    is: "a cap of fires is not checked",
    file: "apps/execution/src/usage/budget.ts",
    from: ".where(sql<boolean>`${after} <= ${limit}`)",
    to: "",
  },
} as const satisfies Record<string, PlantedBug>;

export type Plant = keyof typeof bugs;

export const plants = Object.keys(bugs) as readonly Plant[];

/** All changes of all bugs. */
export const plantedChanges: readonly Change[] = Object.values<PlantedBug>(bugs).flatMap(changesOf);

/** A help line for each bug. */
export const plantsText = plants.map((name) => `    ${name.padEnd(18)} ${bugs[name].is}\n`).join("");

function changesOf(bug: PlantedBug): readonly Change[] {
  return bug.also === undefined ? [bug] : [bug, bug.also];
}

/** Returns the files that a bug changes, from the root. */
export const filesOf = (name: Plant): readonly string[] => changesOf(bugs[name]).map(({ file }) => file);

/** Plants a bug in modules that are loaded later. */
export function plantBug(name: Plant): void {
  const changes = changesOf(bugs[name]);
  registerHooks({
    load: (url, context, next) => {
      const loaded = next(url, context);
      const change = changes.find(({ file }) => url.endsWith(`/${file}`));
      if (change === undefined) return loaded;
      const { file, from, to } = change;
      const source = Buffer.from((loaded.source ?? "") as string).toString();
      if (!source.includes(from))
        throw new Error(`Expected ${file} to contain the text that ${name} replaces: ${from}`);
      return { ...loaded, source: source.replace(from, () => to) };
    },
  });
}
