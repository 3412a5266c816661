import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readContract } from "./testing/contract.ts";
import { readExchanges } from "./testing/corpus.ts";
import * as contracts from "./index.ts";
import {
  isA2AMessageSendRequest,
  isA2ATasksGetRequest,
  isAgentErrorKind,
  isAgentTask,
  isSimpleA2ARequest,
  problemsOf,
  type Validator,
} from "./index.ts";

/** Removing or renaming one of these is a breaking change of the published package. */
const values = `
  ZoneError agentErrorTable channels contractVersion errorTable isA2AAgentCard isA2AAgentCardV1 isA2AArtifact isA2AMessage isA2AMessageSendRequest
  isA2APart isA2ASendMethod isA2ASendResult isA2ATask isA2ATaskState isA2ATasksCancelRequest isA2ATasksGetRequest
  isAgentAuditEntry isAgentAuditList isAgentAuth isAgentBreaker isAgentCall isAgentCancellation isAgentConcurrency
  isAgentDescription isAgentError isAgentErrorKind isAgentHealth isAgentList isAgentMigration isAgentMigrationEntry
  isAgentMigrationRequest isAgentName isAgentPrevious isAgentProtocol
  isAgentProtocolConfig isAgentRecord isAgentResult isAgentRetry isAgentSettings isAgentTask isAgentTaskFile
  isAgentTaskId isAgentTest isAgentTestExchange isAgentTestRequest isAgentTimeout isAgentUrl isAgentsFile isAttachment isBusId isCancelTaskParams isCancelTaskResult isConformanceCheck isConformanceReport
  isContextId isCorrelationId isErrorKind isExecuteTaskParams isExecuteTaskResult isFailedRun isForkBranch isGetAgentCardParams
  isGetAsyncTaskResultParams isGetAsyncTaskResultResult isGetUsageParams isGetUsageResult isJsonRpcError isJsonRpcId
  isJsonRpcRequest isJsonRpcResponse isListAgentsParams isListAgentsResult isInputDecision isInputRequestList isMcpApproval isMcpServer isMcpServerList
  isMcpTool isMessageAct isMessageLife isMessageList isMessageRecord isMessageState isReportMessagesParams isReportMessagesResult isTaskLife isNextStep isOnStepError isParamProblem isProblem isReadTaskFileParams isReadTaskFileResult isReportedUsage
  isRequestId isRunGraph isRunId isRunList isRunProblem isRunProblemKind isRunRevision isRunState
  isSecretReference isSimpleA2ARequest isSimpleA2AResponse isEventName isPublishEventRequest isPublishedEvent isStartRunRequest isStepAttempts isWaitTime isStepId isStepList
  isStepParallelism isStepPath isStepState isStepTimeout isStepTitle isStepType isTaskAccepted isTaskEvent isTaskFailure
  isTaskFile isTaskFileId isTaskId isTaskList isTaskProgress isTaskRecord isTaskState isTaskSucceeded isTaskUsage isTaskWorking
  isThreadMessage isTimestamp isUsageBudget isUsageBudgetList isUsageDay isUsageGrouping isUsageReport isUsageSum isWorkflowDefinition isWorkflowId isWorkflowList isWorkflowRecord isWorkflowReport
  isWorkflowRun isWorkflowRunEvent isWorkflowRunSummary isWorkflowStep isWorkflowStepRecord isWorkflowSummary
  isAnswerInputParams isAnswerInputResult isClaimInputRequestParams isGetInputRequestParams isInputAction isInputAnswer isInputDeciders isInputField isInputOption isInputRequest isInputSchema isInputVote isInputVoter isListInputRequestsParams isListInputRequestsResult isInputRequestId isInputKind isInputState isInputVisibility isInputValue isTaskInputRequired
  isWorkflowText isWorkflowVersion isZoneErrorData isZoneRequest problemsOf zoneMethods
  isApiToken isApiTokenList isCheckTokenParams isCheckTokenResult isCreateTokenRequest isCreatedToken isTokenDigest isTokenName isTokenScope isTokenSender isTokenUse isTokenUseList
`;

const types = `
  A2AAgentCard A2AAgentCardV1 A2AAgentInterface A2AAgentSkill A2AAgentSkillV1 A2AArtifact A2ADataPart A2AFile A2AFilePart A2AMessage A2AMessageSendParams
  A2AMessageSendRequest A2APart A2ASendMethod A2ASendResult A2ATask A2ATaskState A2ATaskStatus A2ATasksCancelRequest
  A2ATasksGetRequest A2ATextPart AgentAuditEntry AgentAuditList AgentAuth AgentAuthApiKey AgentAuthBasic
  AgentAuthBearer AgentAuthMtls AgentAuthNone AgentAuthOAuth2ClientCredentials AgentBreaker AgentCall
  AgentCancellation AgentConcurrency AgentDescription AgentError AgentErrorKind AgentErrorRow AgentHealth AgentList
  AgentMigration AgentMigrationEntry AgentMigrationRequest AgentName AgentPrevious AgentProtocol AgentProtocolConfig AgentRecord AgentResult AgentRetry AgentSettings AgentSkill AgentStep
  AgentSummary AgentTask AgentTaskFile AgentTaskId AgentTest AgentTestExchange AgentTestRequest AgentTimeout AgentUrl AgentsFile Attachment BusId CancelTaskParams
  CancelTaskResult Channel Channels ConditionalStep ConformanceCheck ConformanceReport ContextId CorrelationId ErrorKind ErrorRow ExecuteTaskParams
  ExecuteTaskResult FailedRun ForkBranch ForkJoinConfig ForkJoinStep GetAgentCardParams GetAsyncTaskResultParams GetAsyncTaskResultResult GetUsageParams GetUsageResult
  JsonRpcError JsonRpcFailure JsonRpcId JsonRpcRequest JsonRpcResponse JsonRpcSuccess ListAgentsParams
  ListAgentsResult LoopConfig LoopStep InputDecision InputRequestList McpApproval McpServer McpServerList McpTool AskedInput ListedMessage MessageAct MessageLife MessageList MessageRecord MessageState ModelCall ReportMessagesParams ReportMessagesResult StepAttempt TaskLife NextStep OnStepError ParallelStep
  ParamProblem Problem ReadTaskFileParams ReadTaskFileResult ReportedUsage RequestId RunChanged RunGraph RunGraphEdge
  RunGraphNode RunId RunList RunProblem RunProblemKind
  RunRevision RunState SecretReference SimpleA2ARequest SimpleA2AResponse AwaitedEvent EventName PublishEventRequest PublishedEvent StartRunRequest StepAttempts StepChanged SubWorkflowStep PromptStep RunBudget WaitStep WaitTime
  StepCondition StepId StepList StepParallelism StepPath StepState StepTimeout StepTitle StepType TaskAccepted
  TaskAwaits TaskEvent TaskFailure TaskFile TaskFileId TaskId TaskList TaskProgress TaskProgressed TaskRecord TaskStarted
  TaskState TaskStep TaskSucceeded TaskText TaskUsage
  TaskWorking ThreadMessage Timestamp UsageBudget UsageBudgetList UsageDay UsageGroup UsageGrouping UsageReport UsageSum ValidationFailure Validator WantedAct WorkflowDefinition WorkflowId WorkflowList
  WorkflowRecord WorkflowReport WorkflowRun WorkflowRunEvent WorkflowRunSummary WorkflowStep WorkflowStepRecord
  InputRequestId InputAnswer InputValue InputOutcome InputKind InputState InputVisibility InputVerdict InputSurface AnswerInputParams InputApproval InputDenial InputReply InputVoter AnswerInputResult InputRequest InputAction InputOption InputSchema InputField InputDeciders InputVote ClaimInputRequestParams GetInputRequestParams ListInputRequestsParams ListInputRequestsResult TaskInputRequired TaskInputRequested
  WorkflowSummary WorkflowText WorkflowVersion ZoneErrorData ZoneErrorDetail ZoneMethods ZoneRequest
  ApiToken ApiTokenList CheckTokenParams CheckTokenResult CreateTokenRequest CreatedToken TokenDigest TokenName TokenScope TokenSender TokenUse TokenUseList
`;

const names = (text: string): string[] => text.trim().split(/\s+/);

const sourceOf = (file: string): string => readFileSync(join(import.meta.dirname, file), "utf8");

const index = sourceOf("index.ts");

const declared = [...sourceOf("generated/types.ts").matchAll(/^export (?:interface|type) (\w+)/gm)];

const listed = [...index.matchAll(/^export (type )?\{([^}]*)\} from/gm)].flatMap(([, allTypes, list = ""]) =>
  list
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name && (allTypes || name.startsWith("type ")))
    .map((name) => name.replace("type ", "")),
);

const exportedTypes = [...declared.map(([, name = ""]) => name), ...listed];

const rowsOf = (requirement: string, ...[first, last]: [first: number, last: number]): string[] =>
  Array.from({ length: last - first + 1 }, (_, more) => `${requirement}.${first + more}`);

const rows: Record<string, string[]> = {
  a2a: [rowsOf("R1", 1, 10), rowsOf("R2", 1, 10), rowsOf("R3", 2, 6), rowsOf("R4", 1, 7), rowsOf("R6", 1, 6)].flat(),
  "simple-a2a": ["D1", "R3.1", "R3.6"],
};

describe("index", () => {
  test("the package still exports each of these values and types", () => {
    expect(names(values).filter((name) => !(name in contracts))).toEqual([]);
    expect(names(types).filter((name) => !exportedTypes.includes(name))).toEqual([]);
    expect(index.match(/^export .*\*.*$/gm)).toEqual([
      'export type * from "./generated/types.ts";',
      'export * from "./generated/validators.ts";',
    ]);
  });

  test("every type of the contract is exported, with its validator", () => {
    for (const { title } of readContract().types) {
      expect(exportedTypes).toContain(title);
      expect(contracts).toHaveProperty(`is${title}`);
    }
  });
});

describe.each([
  ["a2a", isA2AMessageSendRequest],
  ["simple-a2a", isSimpleA2ARequest],
] as const)("the exchanges of %s", (protocol, isRequest) => {
  const exchanges = readExchanges(protocol);

  test("show each of their requirements", () => {
    expect([...new Set(exchanges.map(({ row }) => row))].toSorted()).toEqual(rows[protocol]?.toSorted());
  });

  test.each(exchanges)("$name is valid", (exchange) => {
    const { agent_task: task, request, polls = [], result } = exchange;
    expect(problemsOf(isAgentTask, task)).toEqual([]);
    const requests = request === undefined ? [] : [request];
    expect(requests.flatMap((one) => problemsOf(isRequest as Validator<unknown>, one))).toEqual([]);
    expect(polls.flatMap((poll) => problemsOf(isA2ATasksGetRequest, poll.request))).toEqual([]);
    const failed = result.status === "FAILURE";
    expect([failed, result.output_data === null]).toEqual([failed, failed]);
    expect(isAgentErrorKind(result.error?.kind)).toBe(failed);
  });
});
