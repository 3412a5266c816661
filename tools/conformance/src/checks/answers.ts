import { type A2AAgent, errorOf } from "../a2a/a2a-agent.ts";
import { answered, answeredTask, hasAnswer, onAnswer, onTask, payloadOf, stateOf } from "../a2a/scenarios.ts";
import { type Check, demand, NotJudged } from "../check.ts";
import { objectOf, quoted } from "../wire.ts";
import { a2a, crosszone03, memberProblem } from "./sources.ts";

export const answerChecks: readonly Check<A2AAgent>[] = [
  {
    id: "result-shape",
    title: "Answers with a task or a message",
    rule: "The result of a message is exactly one of task and message: in 1.0 as a member of that name, in 0.3 told apart by kind.",
    source: a2a("941-sendmessage", "71-messagesend"),
    fix: '1.0: result: {"task": {…}} or {"message": {…}}. 0.3: the task or message itself, with "kind": "task" or "message".',
    needs: ["version-spoken"],
    judge: async (agent) => {
      const { sent } = await answered(agent);
      const error = errorOf(sent);
      if (error) throw new NotJudged(`The question gets the error ${quoted(error["code"])}: try another --question.`);
      const kind = payloadOf(sent.response?.["result"], agent.dialect)?.kind;
      demand(kind === "task" || kind === "message", "The result is not exactly one task or message.", sent);
    },
  },
  {
    id: "task-members",
    title: "Sends complete tasks",
    rule: "A task has an id and a status with a state; in 0.3 also a contextId.",
    source: a2a("411-task", "61-task-object"),
    fix: "Add the members that are named to every task that the agent returns.",
    needs: ["result-shape"],
    judge: async (agent) => {
      const { course } = await answeredTask(agent);
      for (const task of course.tasks) {
        const wrong = memberProblem(task, agent.dialect);
        demand(wrong === undefined, `The task has no ${wrong}.`, task === course.tasks[0] ? course.sent : course.last);
      }
    },
  },
  {
    id: "state-word",
    title: "Writes states as its version does",
    rule: "States are TASK_STATE_COMPLETED and so on in 1.0, completed and so on in 0.3.",
    source: a2a("55-json-field-naming-convention", "63-taskstate-enum"),
    fix: "Write the state in the words of the version of the request.",
    needs: ["task-members"],
    judge: onTask(({ course }, { dialect: { stateWords, version } }) => {
      const words = course.tasks.map((task) => objectOf(task["status"])?.["state"]);
      const wrong = words.find((word) => !stateWords.includes(word as string));
      return wrong === undefined || `The state ${quoted(wrong)} is no state of A2A ${version}.`;
    }),
  },
  {
    id: "state-known",
    level: "hint",
    title: "Knows the state of its task",
    rule: "The state unknown says nothing about the task: callers poll until they know more.",
    source: crosszone03("the-answer"),
    fix: "Set the state working until the answer is there, and completed then.",
    needs: ["state-word"],
    judge: onTask(({ course }) => !course.tasks.some((task) => stateOf(task) === "unknown") || "The state is unknown."),
  },
  {
    id: "answer-is-final",
    title: "Does not answer with a task that has not begun",
    rule: "The state submitted says that the work has not begun. A task with an answer has another one.",
    source: a2a("413-taskstate", "63-taskstate-enum"),
    fix: "Set the state completed when the answer is there, and working while the agent works on it.",
    needs: ["task-members"],
    judge: onTask(({ task, course }) => {
      const stays = `The task has an answer, and its state stays ${quoted(objectOf(task["status"])?.["state"])}.`;
      return course.isIdle || stateOf(task) !== "submitted" || !hasAnswer(task) || stays;
    }),
  },
  {
    id: "question-answered",
    level: "hint",
    title: "Answers the question of the check",
    rule: "The question is answered: with a message, or with a task that is completed.",
    source: a2a("311-send-message", "71-messagesend"),
    fix: "Run the command with a question that this agent answers: --question <text>.",
    needs: ["result-shape"],
    judge: onAnswer(({ tasks, isIdle }) => {
      const task = tasks.at(-1);
      const state = String(objectOf(task?.["status"])?.["state"]);
      if (!isIdle) throw new NotJudged(`The task is still ${state}: try a --question that is answered sooner.`);
      return !task || stateOf(task) === "completed" || `The task is ${state}.`;
    }),
  },
];
