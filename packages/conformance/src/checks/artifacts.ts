import type { A2AAgent } from "../a2a/a2a-agent.ts";
import { artifactsOf, isEnded, messagesOf, partsOf, textOf } from "../a2a/read-task.ts";
import { type Course, onAnswer, onTask } from "../a2a/scenarios.ts";
import type { Check } from "../run/check.ts";
import { type JsonObject, quoted, stringOf } from "../wire/json.ts";
import { contentProblem, messageProblem, snakeMember } from "./data-problems.ts";
import { a2a, a2a1 } from "./sources.ts";

/** What holds parts: the artifacts and messages of the latest task, and the message instead of a task. */
const holdersIn = ({ tasks, message }: Course): JsonObject[] => [
  ...tasks.slice(-1).flatMap((task) => [...artifactsOf(task), ...messagesOf(task)]),
  ...(message ? [message] : []),
];

export const artifactChecks: readonly Check<A2AAgent>[] = [
  {
    id: "artifact-members",
    title: "Sends artifacts with an id and parts",
    rule: "An artifact has an artifactId and at least one part.",
    source: a2a("417-artifact", "67-artifact-object"),
    fix: "Give each artifact an artifactId. Don't send an artifact before it has a part.",
    needs: ["task-members"],
    judge: onTask(({ task }) => {
      const wrong = artifactsOf(task).find(
        (each) => stringOf(each["artifactId"]) === undefined || !partsOf(each).length,
      );
      const id = stringOf(wrong?.["artifactId"]);
      if (wrong && id === undefined) return "An artifact has no artifactId.";
      return !wrong || `The artifact ${quoted(id)} has no part.`;
    }),
  },
  {
    id: "artifact-ids-differ",
    title: "Gives each artifact its own id",
    rule: "The artifactId is unique within the task.",
    source: a2a("417-artifact", "67-artifact-object"),
    fix: "Append to the artifact when more belongs to it, otherwise make a new id.",
    needs: ["artifact-members"],
    judge: onTask(({ task }) => {
      const ids = artifactsOf(task).map((artifact) => artifact["artifactId"]);
      return new Set(ids).size === ids.length || `The ids are ${quoted(ids)}.`;
    }),
  },
  {
    id: "part-content",
    title: "Sends parts with one content",
    rule: "A part has exactly one content: in 1.0 text, raw, url or data; in 0.3 what its kind says.",
    source: a2a("416-part", "65-part-union-type"),
    fix: 'Write {"text": "…"} in 1.0 and {"kind": "text", "text": "…"} in 0.3.',
    needs: ["artifact-members"],
    judge: onAnswer((course, { dialect }) => {
      const parts = holdersIn(course).flatMap(partsOf);
      const wrong = parts.find((part) => contentProblem(part, dialect) !== undefined);
      return !wrong || `A part ${contentProblem(wrong, dialect)}: ${quoted(wrong)}.`;
    }),
  },
  {
    id: "message-members",
    title: "Sends complete messages",
    rule: "A message has a messageId, a role in the words of its version, and at least one part; in 0.3 also its kind.",
    source: a2a("414-message", "64-message-object"),
    fix: "Add what is named to every message: as the answer, in status.message and in the history.",
    needs: ["result-shape"],
    judge: onAnswer(({ tasks, message }, { dialect }) => {
      const messages = [...tasks.flatMap(messagesOf), ...(message ? [message] : [])];
      const wrong = messages.map((each) => messageProblem(each, dialect)).find((problem) => problem !== undefined);
      return wrong === undefined || `A message has ${wrong}.`;
    }),
  },
  {
    id: "member-names",
    title: "Writes members in camel case",
    rule: "Members are called contextId and artifactId, not context_id and artifact_id.",
    source: a2a("55-json-field-naming-convention", "1115-data-format-compliance"),
    fix: "Serialize with the JSON names of the specification.",
    needs: ["result-shape"],
    judge: onAnswer(({ tasks, message }) => {
      const wrong = snakeMember([...tasks, message]);
      return wrong === undefined || `There is a member ${wrong}.`;
    }),
  },
  {
    id: "no-kind",
    level: "should",
    title: "Leaves out the kind of 0.3",
    rule: "A2A 1.0 has no member kind: the name of the member says what it is.",
    source: a2a1("a21-breaking-change-kind-discriminator-removed"),
    fix: "Leave out kind in responses to A2A 1.0.",
    needs: ["result-shape"],
    judge: onAnswer((course) => {
      const holders = [...course.tasks.slice(-1), ...holdersIn(course)];
      const withKind = [...holders, ...holders.flatMap(partsOf)].find((each) => "kind" in each);
      return !withKind || `There is "kind": ${quoted(withKind["kind"])}.`;
    }),
  },
  {
    id: "answer-in-artifact",
    level: "should",
    title: "Puts the answer into an artifact",
    rule: "Results are artifacts. Status messages report progress.",
    source: a2a("37-messages-and-artifacts", "61-task-object"),
    fix: "Add the answer as an artifact before the task is completed.",
    needs: ["question-answered"],
    judge: onTask(
      ({ task }) => !isEnded(task) || artifactsOf(task).length > 0 || "The completed task has no artifact.",
    ),
  },
  {
    id: "no-progress-as-answer",
    level: "should",
    title: "Keeps progress out of the answer",
    rule: "What the agent says while it works is a status message, and not an artifact.",
    source: a2a("37-messages-and-artifacts", "61-task-object"),
    fix: "Send progress as status messages, and only the result as an artifact.",
    needs: ["answer-in-artifact"],
    judge: onTask(({ task }, { dialect: { roles } }) => {
      const said = messagesOf(task).filter((message) => message["role"] === roles.agent);
      const texts = said.map(textOf).filter(Boolean);
      const same = artifactsOf(task).find((artifact) => texts.includes(textOf(artifact)));
      return !same || `${quoted(textOf(same))} is both a message and an artifact.`;
    }),
  },
];
