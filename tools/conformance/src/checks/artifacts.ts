import type { A2AAgent } from "../a2a/a2a-agent.ts";
import { artifactsOf, type Course, isEnded, messagesOf, onAnswer, onTask, partsOf, textOf } from "../a2a/scenarios.ts";
import type { Check } from "../check.ts";
import { type JsonObject, objectOf, quoted, stringOf } from "../wire.ts";
import { a2a, a2a1, contentProblem, crosszone, messageProblem, snakeMember } from "./sources.ts";

/** What holds parts: the artifacts and messages of the latest task, and the message instead of a task. */
const holdersIn = ({ tasks, message }: Course): JsonObject[] =>
  tasks
    .slice(-1)
    .flatMap((task) => [...artifactsOf(task), ...messagesOf(task)])
    .concat(message ?? []);

const hasContent = ({ text, ...part }: JsonObject): boolean =>
  stringOf(text) !== undefined || ["raw", "url", "data", "file"].some((member) => part[member] !== undefined);

/** Whether a part is a thought of a model, or its call of a function. */
const isPrivate = ({ text, metadata }: JsonObject): boolean => {
  const { adk_thought, adk_type, thought = adk_thought } = objectOf(metadata) ?? {};
  const isCall = String(adk_type).startsWith("function_");
  return isCall || thought === true || /<\/?(?:think(?:ing)?|thought|tool_call)\b/.test(String(text));
};

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
      const messages = tasks.flatMap(messagesOf).concat(message ?? []);
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
    level: { "a2a-1.0": "should", "jsonrpc-2.0": "hint" },
    title: "Puts the answer into an artifact",
    rule: "Results are artifacts. Status messages report progress.",
    source: a2a("37-messages-and-artifacts", "61-task-object"),
    fix: "Add the answer as an artifact before the task is completed.",
    needs: ["question-answered"],
    explainedBy: ["artifact-members"],
    judge: onTask(({ task }) => {
      const artifacts = artifactsOf(task);
      if (!isEnded(task) || artifacts.flatMap(partsOf).some(hasContent)) return true;
      return artifacts.length === 0 ? "The completed task has no artifact." : "The artifacts are empty.";
    }),
  },
  {
    id: "no-progress-as-answer",
    level: "hint",
    title: "Keeps progress out of the answer",
    rule: "What the agent says while it works is a status message, and not an artifact.",
    source: a2a("37-messages-and-artifacts", "61-task-object"),
    fix: "Send progress as status messages, and only the result as an artifact.",
    needs: ["answer-in-artifact"],
    judge: onTask(({ task }, { dialect: { roles } }) => {
      const said = messagesOf(task).filter((message) => message["role"] === roles.agent);
      const texts = said.map(textOf).filter(Boolean);
      // The last artifact is the answer: a framework can keep that in the history as well.
      const same = artifactsOf(task)
        .slice(0, -1)
        .find((artifact) => texts.includes(textOf(artifact)));
      return !same || `${quoted(textOf(same))} is both a message and an artifact before the answer.`;
    }),
  },
  {
    id: "answer-without-thoughts",
    level: "hint",
    title: "Keeps its model's thoughts and calls to itself",
    rule: "People read the answer: no part of it is a thought of a model, or its call of a function.",
    source: crosszone("the-answer"),
    fix: "Leave out parts that are thoughts or calls, and cut <think>…</think> and <tool_call>…</tool_call> out of texts.",
    needs: ["result-shape"],
    judge: onAnswer(({ tasks, message }) => {
      const artifacts = artifactsOf(tasks.at(-1) ?? {});
      const said = objectOf(objectOf(tasks.at(-1)?.["status"])?.["message"]);
      const own = [...artifacts, said, message].flatMap(partsOf).find(isPrivate);
      return !own || `The answer has the part ${quoted(own)}.`;
    }),
  },
];
