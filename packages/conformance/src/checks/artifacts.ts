import type { A2AAgent } from "../a2a/a2a-agent.ts";
import { artifactsOf, isEnded, messagesOf, partsOf, textOf } from "../a2a/read-task.ts";
import { answered, answeredTask } from "../a2a/scenarios.ts";
import { demand, type Check } from "../run/check.ts";
import { quoted, stringOf } from "../wire/json.ts";
import { contentProblem, messageProblem, snakeMember } from "./data-problems.ts";
import { a2a, a2a1 } from "./sources.ts";

export const artifactChecks: readonly Check<A2AAgent>[] = [
  {
    id: "artifact-members",
    level: "must",
    title: "Sends artifacts with an id and parts",
    rule: "An artifact has an artifactId and at least one part.",
    source: a2a("417-artifact", "67-artifact-object"),
    fix: "Give each artifact an artifactId. Don't send an artifact before it has a part.",
    needs: ["task-members"],
    judge: async (agent) => {
      const { task, course } = await answeredTask(agent);
      for (const artifact of artifactsOf(task)) {
        demand(stringOf(artifact["artifactId"]) !== undefined, "An artifact has no artifactId.", course.last);
        demand(
          partsOf(artifact).length > 0,
          `The artifact ${quoted(artifact["artifactId"])} has no part.`,
          course.last,
        );
      }
    },
  },
  {
    id: "artifact-ids-differ",
    level: "must",
    title: "Gives each artifact its own id",
    rule: "The artifactId is unique within the task.",
    source: a2a("417-artifact", "67-artifact-object"),
    fix: "Append to the artifact when more belongs to it, otherwise make a new id.",
    needs: ["artifact-members"],
    judge: async (agent) => {
      const { task, course } = await answeredTask(agent);
      const ids = artifactsOf(task).map((artifact) => artifact["artifactId"]);
      demand(new Set(ids).size === ids.length, `The ids are ${quoted(ids)}.`, course.last);
    },
  },
  {
    id: "part-content",
    level: "must",
    title: "Sends parts with one content",
    rule: "A part has exactly one content: in 1.0 text, raw, url or data; in 0.3 what its kind says.",
    source: a2a("416-part", "65-part-union-type"),
    fix: 'Write {"text": "…"} in 1.0 and {"kind": "text", "text": "…"} in 0.3.',
    needs: ["artifact-members"],
    judge: async (agent) => {
      const { tasks, message, last } = await answered(agent);
      const task = tasks.at(-1) ?? {};
      const holders = [...artifactsOf(task), ...messagesOf(task), ...(message ? [message] : [])];
      for (const part of holders.flatMap(partsOf)) {
        const wrong = contentProblem(part, agent.dialect);
        demand(wrong === undefined, `A part ${wrong}: ${quoted(part)}.`, last);
      }
    },
  },
  {
    id: "message-members",
    level: "must",
    title: "Sends complete messages",
    rule: "A message has a messageId, a role in the words of its version, and at least one part; in 0.3 also its kind.",
    source: a2a("414-message", "64-message-object"),
    fix: "Add what is named to every message: as the answer, in status.message and in the history.",
    needs: ["result-shape"],
    judge: async (agent) => {
      const { tasks, message, last } = await answered(agent);
      for (const each of [...tasks.flatMap(messagesOf), ...(message ? [message] : [])]) {
        const wrong = messageProblem(each, agent.dialect);
        demand(wrong === undefined, `A message has ${wrong}.`, last);
      }
    },
  },
  {
    id: "member-names",
    level: "must",
    title: "Writes members in camel case",
    rule: "Members are called contextId and artifactId, not context_id and artifact_id.",
    source: a2a("55-json-field-naming-convention", "1115-data-format-compliance"),
    fix: "Serialize with the JSON names of the specification.",
    needs: ["result-shape"],
    judge: async (agent) => {
      const { tasks, message, last } = await answered(agent);
      const wrong = [...tasks, message].map(snakeMember).find((name) => name !== undefined);
      demand(wrong === undefined, `There is a member ${wrong}.`, last);
    },
  },
  {
    id: "no-kind",
    level: "should",
    title: "Leaves out the kind of 0.3",
    rule: "A2A 1.0 has no member kind: the name of the member says what it is.",
    source: a2a1("a21-breaking-change-kind-discriminator-removed"),
    fix: "Leave out kind in responses to A2A 1.0.",
    needs: ["result-shape"],
    judge: async (agent) => {
      const { tasks, message, last } = await answered(agent);
      const task = tasks.at(-1);
      const holders = [...(task ? [...artifactsOf(task), ...messagesOf(task)] : []), ...(message ? [message] : [])];
      const withKind = [...(task ? [task] : []), ...holders, ...holders.flatMap(partsOf)].find(
        (each) => "kind" in each,
      );
      demand(withKind === undefined, `There is "kind": ${quoted(withKind?.["kind"])}.`, last);
    },
  },
  {
    id: "answer-in-artifact",
    level: "should",
    title: "Puts the answer into an artifact",
    rule: "Results are artifacts. Status messages report progress.",
    source: a2a("37-messages-and-artifacts", "61-task-object"),
    fix: "Add the answer as an artifact before the task is completed.",
    needs: ["question-answered"],
    judge: async (agent) => {
      const { task, course } = await answeredTask(agent);
      demand(!isEnded(task) || artifactsOf(task).length > 0, "The completed task has no artifact.", course.last);
    },
  },
  {
    id: "no-progress-as-answer",
    level: "should",
    title: "Keeps progress out of the answer",
    rule: "What the agent says while it works is a status message, and not an artifact.",
    source: a2a("37-messages-and-artifacts", "61-task-object"),
    fix: "Send progress as status messages, and only the result as an artifact.",
    needs: ["answer-in-artifact"],
    judge: async (agent) => {
      const { task, course } = await answeredTask(agent);
      const { agent: role } = agent.dialect.roles;
      const said = messagesOf(task).filter((message) => message["role"] === role);
      const texts = new Set(said.map(textOf).filter(Boolean));
      const same = artifactsOf(task)
        .map(textOf)
        .find((text) => texts.has(text));
      demand(same === undefined, `${quoted(same)} is both a message and an artifact.`, course.last);
    },
  },
];
