/* Generated from schemas/ by dev/scripts/contract/generate.ts. Do not edit; run `pnpm generate`. */
import type * as Types from "./types.ts";
import { validator, type SchemaValidator } from "../validator.ts";
import a2aV03AgentCardFile from "#schemas/a2a/v0.3/agent-card.schema.json" with { type: "json" };
import a2aV03ArtifactFile from "#schemas/a2a/v0.3/artifact.schema.json" with { type: "json" };
import a2aV03MessageSendRequestFile from "#schemas/a2a/v0.3/message-send-request.schema.json" with { type: "json" };
import a2aV03MessageFile from "#schemas/a2a/v0.3/message.schema.json" with { type: "json" };
import a2aV03PartFile from "#schemas/a2a/v0.3/part.schema.json" with { type: "json" };
import a2aV03SendMethodFile from "#schemas/a2a/v0.3/send-method.schema.json" with { type: "json" };
import a2aV03SendResultFile from "#schemas/a2a/v0.3/send-result.schema.json" with { type: "json" };
import a2aV03TaskStateFile from "#schemas/a2a/v0.3/task-state.schema.json" with { type: "json" };
import a2aV03TaskFile from "#schemas/a2a/v0.3/task.schema.json" with { type: "json" };
import a2aV03TasksCancelRequestFile from "#schemas/a2a/v0.3/tasks-cancel-request.schema.json" with { type: "json" };
import a2aV03TasksGetRequestFile from "#schemas/a2a/v0.3/tasks-get-request.schema.json" with { type: "json" };
import a2aV10AgentCardFile from "#schemas/a2a/v1.0/agent-card.schema.json" with { type: "json" };
import auditAuditEventListFile from "#schemas/audit/audit-event-list.schema.json" with { type: "json" };
import auditAuditEventFile from "#schemas/audit/audit-event.schema.json" with { type: "json" };
import auditAuditHeadFile from "#schemas/audit/audit-head.schema.json" with { type: "json" };
import auditAuditReceiptFile from "#schemas/audit/audit-receipt.schema.json" with { type: "json" };
import auditAuditRecordFile from "#schemas/audit/audit-record.schema.json" with { type: "json" };
import bulkBulkActionListFile from "#schemas/bulk/bulk-action-list.schema.json" with { type: "json" };
import bulkBulkActionFile from "#schemas/bulk/bulk-action.schema.json" with { type: "json" };
import bulkDeadLetterListFile from "#schemas/bulk/dead-letter-list.schema.json" with { type: "json" };
import bulkDeadLetterFile from "#schemas/bulk/dead-letter.schema.json" with { type: "json" };
import bulkMembersFile from "#schemas/bulk/members.schema.json" with { type: "json" };
import bulkStartBulkActionRequestFile from "#schemas/bulk/start-bulk-action-request.schema.json" with { type: "json" };
import busAgentCancellationFile from "#schemas/bus/agent-cancellation.schema.json" with { type: "json" };
import busAgentErrorFile from "#schemas/bus/agent-error.schema.json" with { type: "json" };
import busAgentResultFile from "#schemas/bus/agent-result.schema.json" with { type: "json" };
import busAgentTaskFileFile from "#schemas/bus/agent-task-file.schema.json" with { type: "json" };
import busAgentTaskFile from "#schemas/bus/agent-task.schema.json" with { type: "json" };
import commonFile from "#schemas/common.schema.json" with { type: "json" };
import conformanceConformanceCheckFile from "#schemas/conformance/conformance-check.schema.json" with { type: "json" };
import conformanceConformanceReportFile from "#schemas/conformance/conformance-report.schema.json" with { type: "json" };
import hookHookListFile from "#schemas/hook/hook-list.schema.json" with { type: "json" };
import hookHookSettingsFile from "#schemas/hook/hook-settings.schema.json" with { type: "json" };
import hookHookFile from "#schemas/hook/hook.schema.json" with { type: "json" };
import hookMembersFile from "#schemas/hook/members.schema.json" with { type: "json" };
import inputAnswerInputParamsFile from "#schemas/input/answer-input-params.schema.json" with { type: "json" };
import inputAnswerInputResultFile from "#schemas/input/answer-input-result.schema.json" with { type: "json" };
import inputClaimInputRequestParamsFile from "#schemas/input/claim-input-request-params.schema.json" with { type: "json" };
import inputGetInputRequestParamsFile from "#schemas/input/get-input-request-params.schema.json" with { type: "json" };
import inputInputActionFile from "#schemas/input/input-action.schema.json" with { type: "json" };
import inputInputAnswerFile from "#schemas/input/input-answer.schema.json" with { type: "json" };
import inputInputDecidersFile from "#schemas/input/input-deciders.schema.json" with { type: "json" };
import inputInputDecisionFile from "#schemas/input/input-decision.schema.json" with { type: "json" };
import inputInputFieldFile from "#schemas/input/input-field.schema.json" with { type: "json" };
import inputInputOptionFile from "#schemas/input/input-option.schema.json" with { type: "json" };
import inputInputRequestListFile from "#schemas/input/input-request-list.schema.json" with { type: "json" };
import inputInputRequestFile from "#schemas/input/input-request.schema.json" with { type: "json" };
import inputInputSchemaFile from "#schemas/input/input-schema.schema.json" with { type: "json" };
import inputInputVoteFile from "#schemas/input/input-vote.schema.json" with { type: "json" };
import inputInputVoterFile from "#schemas/input/input-voter.schema.json" with { type: "json" };
import inputInputWithdrawalFile from "#schemas/input/input-withdrawal.schema.json" with { type: "json" };
import inputListInputRequestsParamsFile from "#schemas/input/list-input-requests-params.schema.json" with { type: "json" };
import inputListInputRequestsResultFile from "#schemas/input/list-input-requests-result.schema.json" with { type: "json" };
import inputMembersFile from "#schemas/input/members.schema.json" with { type: "json" };
import jsonrpcErrorFile from "#schemas/jsonrpc/error.schema.json" with { type: "json" };
import jsonrpcIdFile from "#schemas/jsonrpc/id.schema.json" with { type: "json" };
import jsonrpcParamProblemFile from "#schemas/jsonrpc/param-problem.schema.json" with { type: "json" };
import jsonrpcRequestFile from "#schemas/jsonrpc/request.schema.json" with { type: "json" };
import jsonrpcResponseFile from "#schemas/jsonrpc/response.schema.json" with { type: "json" };
import jsonrpcZoneErrorDataFile from "#schemas/jsonrpc/zone-error-data.schema.json" with { type: "json" };
import jsonrpcZoneRequestFile from "#schemas/jsonrpc/zone-request.schema.json" with { type: "json" };
import mcpMcpApprovalFile from "#schemas/mcp/mcp-approval.schema.json" with { type: "json" };
import mcpMcpServerListFile from "#schemas/mcp/mcp-server-list.schema.json" with { type: "json" };
import mcpMcpServerFile from "#schemas/mcp/mcp-server.schema.json" with { type: "json" };
import mcpMcpToolFile from "#schemas/mcp/mcp-tool.schema.json" with { type: "json" };
import registryAgentActivityFile from "#schemas/registry/agent-activity.schema.json" with { type: "json" };
import registryAgentAuditEntryFile from "#schemas/registry/agent-audit-entry.schema.json" with { type: "json" };
import registryAgentAuditListFile from "#schemas/registry/agent-audit-list.schema.json" with { type: "json" };
import registryAgentAuthFile from "#schemas/registry/agent-auth.schema.json" with { type: "json" };
import registryAgentBreakerFile from "#schemas/registry/agent-breaker.schema.json" with { type: "json" };
import registryAgentFailedCallListFile from "#schemas/registry/agent-failed-call-list.schema.json" with { type: "json" };
import registryAgentHealthFile from "#schemas/registry/agent-health.schema.json" with { type: "json" };
import registryAgentListFile from "#schemas/registry/agent-list.schema.json" with { type: "json" };
import registryAgentMigrationEntryFile from "#schemas/registry/agent-migration-entry.schema.json" with { type: "json" };
import registryAgentMigrationRequestFile from "#schemas/registry/agent-migration-request.schema.json" with { type: "json" };
import registryAgentMigrationFile from "#schemas/registry/agent-migration.schema.json" with { type: "json" };
import registryAgentPreviousFile from "#schemas/registry/agent-previous.schema.json" with { type: "json" };
import registryAgentProtocolConfigFile from "#schemas/registry/agent-protocol-config.schema.json" with { type: "json" };
import registryAgentRecordFile from "#schemas/registry/agent-record.schema.json" with { type: "json" };
import registryAgentRetryFile from "#schemas/registry/agent-retry.schema.json" with { type: "json" };
import registryAgentSettingsFile from "#schemas/registry/agent-settings.schema.json" with { type: "json" };
import registryAgentTestExchangeFile from "#schemas/registry/agent-test-exchange.schema.json" with { type: "json" };
import registryAgentTestRequestFile from "#schemas/registry/agent-test-request.schema.json" with { type: "json" };
import registryAgentTestFile from "#schemas/registry/agent-test.schema.json" with { type: "json" };
import registryMembersFile from "#schemas/registry/members.schema.json" with { type: "json" };
import registryProblemFile from "#schemas/registry/problem.schema.json" with { type: "json" };
import scheduleChangeScheduleParamsFile from "#schemas/schedule/change-schedule-params.schema.json" with { type: "json" };
import scheduleChangeScheduleResultFile from "#schemas/schedule/change-schedule-result.schema.json" with { type: "json" };
import scheduleFireListFile from "#schemas/schedule/fire-list.schema.json" with { type: "json" };
import scheduleFireFile from "#schemas/schedule/fire.schema.json" with { type: "json" };
import scheduleListFiresParamsFile from "#schemas/schedule/list-fires-params.schema.json" with { type: "json" };
import scheduleListFiresResultFile from "#schemas/schedule/list-fires-result.schema.json" with { type: "json" };
import scheduleListSchedulesParamsFile from "#schemas/schedule/list-schedules-params.schema.json" with { type: "json" };
import scheduleListSchedulesResultFile from "#schemas/schedule/list-schedules-result.schema.json" with { type: "json" };
import scheduleMembersFile from "#schemas/schedule/members.schema.json" with { type: "json" };
import scheduleNewScheduleFile from "#schemas/schedule/new-schedule.schema.json" with { type: "json" };
import scheduleSaveScheduleParamsFile from "#schemas/schedule/save-schedule-params.schema.json" with { type: "json" };
import scheduleSaveScheduleResultFile from "#schemas/schedule/save-schedule-result.schema.json" with { type: "json" };
import scheduleScheduleListFile from "#schemas/schedule/schedule-list.schema.json" with { type: "json" };
import scheduleScheduleSettingsFile from "#schemas/schedule/schedule-settings.schema.json" with { type: "json" };
import scheduleScheduleFile from "#schemas/schedule/schedule.schema.json" with { type: "json" };
import scheduleTakeFireParamsFile from "#schemas/schedule/take-fire-params.schema.json" with { type: "json" };
import scheduleTakeFireResultFile from "#schemas/schedule/take-fire-result.schema.json" with { type: "json" };
import settingsAgentsSectionFile from "#schemas/settings/agents-section.schema.json" with { type: "json" };
import settingsApprovalDecidersFile from "#schemas/settings/approval-deciders.schema.json" with { type: "json" };
import settingsApprovalRuleFile from "#schemas/settings/approval-rule.schema.json" with { type: "json" };
import settingsApprovalTermsFile from "#schemas/settings/approval-terms.schema.json" with { type: "json" };
import settingsApprovalsSectionFile from "#schemas/settings/approvals-section.schema.json" with { type: "json" };
import settingsAssistantChannelFile from "#schemas/settings/assistant-channel.schema.json" with { type: "json" };
import settingsAssistantChannelsFile from "#schemas/settings/assistant-channels.schema.json" with { type: "json" };
import settingsAssistantSectionFile from "#schemas/settings/assistant-section.schema.json" with { type: "json" };
import settingsAssistantTeamFile from "#schemas/settings/assistant-team.schema.json" with { type: "json" };
import settingsCardKeysSectionFile from "#schemas/settings/card-keys-section.schema.json" with { type: "json" };
import settingsConsoleRolesFile from "#schemas/settings/console-roles.schema.json" with { type: "json" };
import settingsConsoleSectionFile from "#schemas/settings/console-section.schema.json" with { type: "json" };
import settingsConsoleSessionFile from "#schemas/settings/console-session.schema.json" with { type: "json" };
import settingsExecutionSettingsFile from "#schemas/settings/execution-settings.schema.json" with { type: "json" };
import settingsHooksSectionFile from "#schemas/settings/hooks-section.schema.json" with { type: "json" };
import settingsMcpOauthFile from "#schemas/settings/mcp-oauth.schema.json" with { type: "json" };
import settingsMcpSectionFile from "#schemas/settings/mcp-section.schema.json" with { type: "json" };
import settingsMcpServerSettingsFile from "#schemas/settings/mcp-server-settings.schema.json" with { type: "json" };
import settingsMembersFile from "#schemas/settings/members.schema.json" with { type: "json" };
import settingsPolicySectionFile from "#schemas/settings/policy-section.schema.json" with { type: "json" };
import settingsProgramGrantFile from "#schemas/settings/program-grant.schema.json" with { type: "json" };
import settingsProgramIssuerFile from "#schemas/settings/program-issuer.schema.json" with { type: "json" };
import settingsProgramSubjectFile from "#schemas/settings/program-subject.schema.json" with { type: "json" };
import settingsProgramsSectionFile from "#schemas/settings/programs-section.schema.json" with { type: "json" };
import settingsScheduleEntryFile from "#schemas/settings/schedule-entry.schema.json" with { type: "json" };
import settingsSchedulesSectionFile from "#schemas/settings/schedules-section.schema.json" with { type: "json" };
import settingsVerificationSettingsFile from "#schemas/settings/verification-settings.schema.json" with { type: "json" };
import simpleA2aRequestFile from "#schemas/simple-a2a/request.schema.json" with { type: "json" };
import simpleA2aResponseFile from "#schemas/simple-a2a/response.schema.json" with { type: "json" };
import taskAgentCallFile from "#schemas/task/agent-call.schema.json" with { type: "json" };
import taskAttachmentFile from "#schemas/task/attachment.schema.json" with { type: "json" };
import taskCancelTaskParamsFile from "#schemas/task/cancel-task-params.schema.json" with { type: "json" };
import taskCancelTaskResultFile from "#schemas/task/cancel-task-result.schema.json" with { type: "json" };
import taskExecuteTaskParamsFile from "#schemas/task/execute-task-params.schema.json" with { type: "json" };
import taskExecuteTaskResultFile from "#schemas/task/execute-task-result.schema.json" with { type: "json" };
import taskFailedRunFile from "#schemas/task/failed-run.schema.json" with { type: "json" };
import taskGetAgentCardParamsFile from "#schemas/task/get-agent-card-params.schema.json" with { type: "json" };
import taskGetAsyncTaskResultParamsFile from "#schemas/task/get-async-task-result-params.schema.json" with { type: "json" };
import taskGetAsyncTaskResultResultFile from "#schemas/task/get-async-task-result-result.schema.json" with { type: "json" };
import taskGetRunChangeParamsFile from "#schemas/task/get-run-change-params.schema.json" with { type: "json" };
import taskGetRunChangeResultFile from "#schemas/task/get-run-change-result.schema.json" with { type: "json" };
import taskListAgentsParamsFile from "#schemas/task/list-agents-params.schema.json" with { type: "json" };
import taskListAgentsResultFile from "#schemas/task/list-agents-result.schema.json" with { type: "json" };
import taskListPersonTasksParamsFile from "#schemas/task/list-person-tasks-params.schema.json" with { type: "json" };
import taskListPersonTasksResultFile from "#schemas/task/list-person-tasks-result.schema.json" with { type: "json" };
import taskMessageLifeFile from "#schemas/task/message-life.schema.json" with { type: "json" };
import taskMessageListFile from "#schemas/task/message-list.schema.json" with { type: "json" };
import taskMessageRecordFile from "#schemas/task/message-record.schema.json" with { type: "json" };
import taskOthersContentFile from "#schemas/task/others-content.schema.json" with { type: "json" };
import taskReadTaskFileParamsFile from "#schemas/task/read-task-file-params.schema.json" with { type: "json" };
import taskReadTaskFileResultFile from "#schemas/task/read-task-file-result.schema.json" with { type: "json" };
import taskReportMessagesParamsFile from "#schemas/task/report-messages-params.schema.json" with { type: "json" };
import taskReportMessagesResultFile from "#schemas/task/report-messages-result.schema.json" with { type: "json" };
import taskReportedUsageFile from "#schemas/task/reported-usage.schema.json" with { type: "json" };
import taskTaskAcceptedFile from "#schemas/task/task-accepted.schema.json" with { type: "json" };
import taskTaskEventFile from "#schemas/task/task-event.schema.json" with { type: "json" };
import taskTaskFailureFile from "#schemas/task/task-failure.schema.json" with { type: "json" };
import taskTaskFileFile from "#schemas/task/task-file.schema.json" with { type: "json" };
import taskTaskInputRequiredFile from "#schemas/task/task-input-required.schema.json" with { type: "json" };
import taskTaskLifeFile from "#schemas/task/task-life.schema.json" with { type: "json" };
import taskTaskListFile from "#schemas/task/task-list.schema.json" with { type: "json" };
import taskTaskProgressFile from "#schemas/task/task-progress.schema.json" with { type: "json" };
import taskTaskRecordFile from "#schemas/task/task-record.schema.json" with { type: "json" };
import taskTaskSucceededFile from "#schemas/task/task-succeeded.schema.json" with { type: "json" };
import taskTaskUsageFile from "#schemas/task/task-usage.schema.json" with { type: "json" };
import taskTaskWorkingFile from "#schemas/task/task-working.schema.json" with { type: "json" };
import taskThreadMessageFile from "#schemas/task/thread-message.schema.json" with { type: "json" };
import taskUnreadableContentFile from "#schemas/task/unreadable-content.schema.json" with { type: "json" };
import tokenApiTokenListFile from "#schemas/token/api-token-list.schema.json" with { type: "json" };
import tokenApiTokenFile from "#schemas/token/api-token.schema.json" with { type: "json" };
import tokenCheckTokenParamsFile from "#schemas/token/check-token-params.schema.json" with { type: "json" };
import tokenCheckTokenResultFile from "#schemas/token/check-token-result.schema.json" with { type: "json" };
import tokenCreateTokenRequestFile from "#schemas/token/create-token-request.schema.json" with { type: "json" };
import tokenCreatedTokenFile from "#schemas/token/created-token.schema.json" with { type: "json" };
import tokenMembersFile from "#schemas/token/members.schema.json" with { type: "json" };
import tokenTokenSenderFile from "#schemas/token/token-sender.schema.json" with { type: "json" };
import tokenTokenUseListFile from "#schemas/token/token-use-list.schema.json" with { type: "json" };
import tokenTokenUseFile from "#schemas/token/token-use.schema.json" with { type: "json" };
import usageGetUsageParamsFile from "#schemas/usage/get-usage-params.schema.json" with { type: "json" };
import usageGetUsageResultFile from "#schemas/usage/get-usage-result.schema.json" with { type: "json" };
import usageMembersFile from "#schemas/usage/members.schema.json" with { type: "json" };
import usageUsageBudgetListFile from "#schemas/usage/usage-budget-list.schema.json" with { type: "json" };
import usageUsageBudgetFile from "#schemas/usage/usage-budget.schema.json" with { type: "json" };
import usageUsageReportFile from "#schemas/usage/usage-report.schema.json" with { type: "json" };
import usageUsageSumFile from "#schemas/usage/usage-sum.schema.json" with { type: "json" };
import workflowAttemptsFile from "#schemas/workflow/attempts.schema.json" with { type: "json" };
import workflowDefinitionFile from "#schemas/workflow/definition.schema.json" with { type: "json" };
import workflowForkBranchFile from "#schemas/workflow/fork-branch.schema.json" with { type: "json" };
import workflowGraphFile from "#schemas/workflow/graph.schema.json" with { type: "json" };
import workflowListFile from "#schemas/workflow/list.schema.json" with { type: "json" };
import workflowMembersFile from "#schemas/workflow/members.schema.json" with { type: "json" };
import workflowPublishEventRequestFile from "#schemas/workflow/publish-event-request.schema.json" with { type: "json" };
import workflowPublishedEventFile from "#schemas/workflow/published-event.schema.json" with { type: "json" };
import workflowRecordFile from "#schemas/workflow/record.schema.json" with { type: "json" };
import workflowReportFile from "#schemas/workflow/report.schema.json" with { type: "json" };
import workflowRunEventFile from "#schemas/workflow/run-event.schema.json" with { type: "json" };
import workflowRunListFile from "#schemas/workflow/run-list.schema.json" with { type: "json" };
import workflowRunProblemFile from "#schemas/workflow/run-problem.schema.json" with { type: "json" };
import workflowRunSummaryFile from "#schemas/workflow/run-summary.schema.json" with { type: "json" };
import workflowRunFile from "#schemas/workflow/run.schema.json" with { type: "json" };
import workflowStartRunRequestFile from "#schemas/workflow/start-run-request.schema.json" with { type: "json" };
import workflowStepRecordFile from "#schemas/workflow/step-record.schema.json" with { type: "json" };
import workflowStepFile from "#schemas/workflow/step.schema.json" with { type: "json" };
import workflowSummaryFile from "#schemas/workflow/summary.schema.json" with { type: "json" };

export const isA2AAgentCard: SchemaValidator<Types.A2AAgentCard> = /* @__PURE__ */ validator({
  file: a2aV03AgentCardFile,
});
export const isA2AArtifact: SchemaValidator<Types.A2AArtifact> = /* @__PURE__ */ validator({
  file: a2aV03ArtifactFile,
  refs: () => ({ "part.schema.json": isA2APart }),
});
export const isA2AMessageSendRequest: SchemaValidator<Types.A2AMessageSendRequest> = /* @__PURE__ */ validator({
  file: a2aV03MessageSendRequestFile,
  refs: () => ({
    "../../common.schema.json#/$defs/BusId": isBusId,
    "send-method.schema.json": isA2ASendMethod,
    "message.schema.json": isA2AMessage,
  }),
});
export const isA2AMessage: SchemaValidator<Types.A2AMessage> = /* @__PURE__ */ validator({
  file: a2aV03MessageFile,
  refs: () => ({ "part.schema.json": isA2APart }),
});
export const isA2APart: SchemaValidator<Types.A2APart> = /* @__PURE__ */ validator({ file: a2aV03PartFile });
export const isA2ASendMethod: SchemaValidator<Types.A2ASendMethod> = /* @__PURE__ */ validator({
  file: a2aV03SendMethodFile,
});
export const isA2ASendResult: SchemaValidator<Types.A2ASendResult> = /* @__PURE__ */ validator({
  file: a2aV03SendResultFile,
  refs: () => ({ "task.schema.json": isA2ATask, "message.schema.json": isA2AMessage }),
});
export const isA2ATaskState: SchemaValidator<Types.A2ATaskState> = /* @__PURE__ */ validator({
  file: a2aV03TaskStateFile,
});
export const isA2ATask: SchemaValidator<Types.A2ATask> = /* @__PURE__ */ validator({
  file: a2aV03TaskFile,
  refs: () => ({
    "task-state.schema.json": isA2ATaskState,
    "message.schema.json": isA2AMessage,
    "artifact.schema.json": isA2AArtifact,
  }),
});
export const isA2ATasksCancelRequest: SchemaValidator<Types.A2ATasksCancelRequest> = /* @__PURE__ */ validator({
  file: a2aV03TasksCancelRequestFile,
  refs: () => ({ "../../common.schema.json#/$defs/BusId": isBusId }),
});
export const isA2ATasksGetRequest: SchemaValidator<Types.A2ATasksGetRequest> = /* @__PURE__ */ validator({
  file: a2aV03TasksGetRequestFile,
  refs: () => ({ "../../common.schema.json#/$defs/BusId": isBusId }),
});
export const isA2AAgentCardV1: SchemaValidator<Types.A2AAgentCardV1> = /* @__PURE__ */ validator({
  file: a2aV10AgentCardFile,
});
export const isAuditEventList: SchemaValidator<Types.AuditEventList> = /* @__PURE__ */ validator({
  file: auditAuditEventListFile,
  refs: () => ({ "audit-record.schema.json": isAuditRecord, "../common.schema.json#/$defs/Names": isNames }),
});
export const isAuditEvent: SchemaValidator<Types.AuditEvent> = /* @__PURE__ */ validator({
  file: auditAuditEventFile,
  refs: () => ({ "../common.schema.json#/$defs/Timestamp": isTimestamp }),
});
export const isAuditHead: SchemaValidator<Types.AuditHead> = /* @__PURE__ */ validator({ file: auditAuditHeadFile });
export const isAuditReceipt: SchemaValidator<Types.AuditReceipt> = /* @__PURE__ */ validator({
  file: auditAuditReceiptFile,
  refs: () => ({ "audit-event.schema.json": isAuditEvent }),
});
export const isAuditRecord: SchemaValidator<Types.AuditRecord> = /* @__PURE__ */ validator({
  file: auditAuditRecordFile,
  refs: () => ({ "audit-event.schema.json": isAuditEvent }),
});
export const isBulkActionList: SchemaValidator<Types.BulkActionList> = /* @__PURE__ */ validator({
  file: bulkBulkActionListFile,
  refs: () => ({ "bulk-action.schema.json": isBulkAction }),
});
export const isBulkAction: SchemaValidator<Types.BulkAction> = /* @__PURE__ */ validator({
  file: bulkBulkActionFile,
  refs: () => ({
    "../common.schema.json#/$defs/CorrelationId": isCorrelationId,
    "members.schema.json#/$defs/BulkActionKind": isBulkActionKind,
    "../common.schema.json#/$defs/Timestamp": isTimestamp,
    "members.schema.json#/$defs/BulkItemId": isBulkItemId,
  }),
});
export const isDeadLetterList: SchemaValidator<Types.DeadLetterList> = /* @__PURE__ */ validator({
  file: bulkDeadLetterListFile,
  refs: () => ({ "dead-letter.schema.json": isDeadLetter }),
});
export const isDeadLetter: SchemaValidator<Types.DeadLetter> = /* @__PURE__ */ validator({
  file: bulkDeadLetterFile,
  refs: () => ({
    "members.schema.json#/$defs/BulkItemId": isBulkItemId,
    "../common.schema.json#/$defs/Timestamp": isTimestamp,
  }),
});
export const isBulkActionKind: SchemaValidator<Types.BulkActionKind> = /* @__PURE__ */ validator({
  file: bulkMembersFile,
  definition: "BulkActionKind",
});
export const isBulkItemId: SchemaValidator<Types.BulkItemId> = /* @__PURE__ */ validator({
  file: bulkMembersFile,
  definition: "BulkItemId",
});
export const isStartBulkActionRequest: SchemaValidator<Types.StartBulkActionRequest> = /* @__PURE__ */ validator({
  file: bulkStartBulkActionRequestFile,
  refs: () => ({
    "members.schema.json#/$defs/BulkActionKind": isBulkActionKind,
    "members.schema.json#/$defs/BulkItemId": isBulkItemId,
  }),
});
export const isAgentCancellation: SchemaValidator<Types.AgentCancellation> = /* @__PURE__ */ validator({
  file: busAgentCancellationFile,
  refs: () => ({
    "../common.schema.json#/$defs/BusId": isBusId,
    "../common.schema.json#/$defs/Timestamp": isTimestamp,
  }),
});
export const isAgentError: SchemaValidator<Types.AgentError> = /* @__PURE__ */ validator({
  file: busAgentErrorFile,
  refs: () => ({ "../common.schema.json#/$defs/AgentErrorKind": isAgentErrorKind }),
});
export const isAgentResult: SchemaValidator<Types.AgentResult> = /* @__PURE__ */ validator({
  file: busAgentResultFile,
  refs: () => ({
    "../common.schema.json#/$defs/BusId": isBusId,
    "../common.schema.json#/$defs/Timestamp": isTimestamp,
    "agent-error.schema.json": isAgentError,
    "../common.schema.json#/$defs/ContextId": isContextId,
    "../common.schema.json#/$defs/AgentTaskId": isAgentTaskId,
  }),
});
export const isAgentTaskFile: SchemaValidator<Types.AgentTaskFile> = /* @__PURE__ */ validator({
  file: busAgentTaskFileFile,
});
export const isAgentTask: SchemaValidator<Types.AgentTask> = /* @__PURE__ */ validator({
  file: busAgentTaskFile,
  refs: () => ({
    "../common.schema.json#/$defs/BusId": isBusId,
    "../common.schema.json#/$defs/AgentName": isAgentName,
    "../common.schema.json#/$defs/Timestamp": isTimestamp,
    "../common.schema.json#/$defs/ContextId": isContextId,
    "../common.schema.json#/$defs/AgentTaskId": isAgentTaskId,
    "agent-task-file.schema.json": isAgentTaskFile,
  }),
});
export const isCorrelationId: SchemaValidator<Types.CorrelationId> = /* @__PURE__ */ validator({
  file: commonFile,
  definition: "CorrelationId",
});
export const isTaskId: SchemaValidator<Types.TaskId> = /* @__PURE__ */ validator({
  file: commonFile,
  definition: "TaskId",
});
export const isRequestId: SchemaValidator<Types.RequestId> = /* @__PURE__ */ validator({
  file: commonFile,
  definition: "RequestId",
});
export const isErrorKind: SchemaValidator<Types.ErrorKind> = /* @__PURE__ */ validator({
  file: commonFile,
  definition: "ErrorKind",
});
export const isTaskState: SchemaValidator<Types.TaskState> = /* @__PURE__ */ validator({
  file: commonFile,
  definition: "TaskState",
});
export const isBusId: SchemaValidator<Types.BusId> = /* @__PURE__ */ validator({
  file: commonFile,
  definition: "BusId",
});
export const isTimestamp: SchemaValidator<Types.Timestamp> = /* @__PURE__ */ validator({
  file: commonFile,
  definition: "Timestamp",
});
export const isAgentName: SchemaValidator<Types.AgentName> = /* @__PURE__ */ validator({
  file: commonFile,
  definition: "AgentName",
});
export const isAgentErrorKind: SchemaValidator<Types.AgentErrorKind> = /* @__PURE__ */ validator({
  file: commonFile,
  definition: "AgentErrorKind",
});
export const isSecretReference: SchemaValidator<Types.SecretReference> = /* @__PURE__ */ validator({
  file: commonFile,
  definition: "SecretReference",
});
export const isContextId: SchemaValidator<Types.ContextId> = /* @__PURE__ */ validator({
  file: commonFile,
  definition: "ContextId",
});
export const isAgentTaskId: SchemaValidator<Types.AgentTaskId> = /* @__PURE__ */ validator({
  file: commonFile,
  definition: "AgentTaskId",
});
export const isTaskFileId: SchemaValidator<Types.TaskFileId> = /* @__PURE__ */ validator({
  file: commonFile,
  definition: "TaskFileId",
});
export const isMessageState: SchemaValidator<Types.MessageState> = /* @__PURE__ */ validator({
  file: commonFile,
  definition: "MessageState",
});
export const isMessageStanding: SchemaValidator<Types.MessageStanding> = /* @__PURE__ */ validator({
  file: commonFile,
  definition: "MessageStanding",
});
export const isNames: SchemaValidator<Types.Names> = /* @__PURE__ */ validator({
  file: commonFile,
  definition: "Names",
});
export const isMessageAct: SchemaValidator<Types.MessageAct> = /* @__PURE__ */ validator({
  file: commonFile,
  definition: "MessageAct",
});
export const isConformanceCheck: SchemaValidator<Types.ConformanceCheck> = /* @__PURE__ */ validator({
  file: conformanceConformanceCheckFile,
  refs: () => ({ "../registry/members.schema.json#/$defs/AgentProtocol": isAgentProtocol }),
});
export const isConformanceReport: SchemaValidator<Types.ConformanceReport> = /* @__PURE__ */ validator({
  file: conformanceConformanceReportFile,
  refs: () => ({
    "../registry/members.schema.json#/$defs/AgentProtocol": isAgentProtocol,
    "../common.schema.json#/$defs/Timestamp": isTimestamp,
    "conformance-check.schema.json": isConformanceCheck,
  }),
});
export const isHookList: SchemaValidator<Types.HookList> = /* @__PURE__ */ validator({
  file: hookHookListFile,
  refs: () => ({ "hook.schema.json": isHook, "../common.schema.json#/$defs/Names": isNames }),
});
export const isHookSettings: SchemaValidator<Types.HookSettings> = /* @__PURE__ */ validator({
  file: hookHookSettingsFile,
  refs: () => ({
    "../schedule/members.schema.json#/$defs/ScheduleName": isScheduleName,
    "../schedule/members.schema.json#/$defs/Owner": isOwner,
    "members.schema.json#/$defs/HookForm": isHookForm,
    "../common.schema.json#/$defs/SecretReference": isSecretReference,
    "members.schema.json#/$defs/HookPlace": isHookPlace,
    "../common.schema.json#/$defs/AgentName": isAgentName,
    "../workflow/members.schema.json#/$defs/EventName": isEventName,
    "../schedule/members.schema.json#/$defs/Cap": isCap,
  }),
});
export const isHook: SchemaValidator<Types.Hook> = /* @__PURE__ */ validator({
  file: hookHookFile,
  refs: () => ({
    "../schedule/members.schema.json#/$defs/ScheduleName": isScheduleName,
    "../schedule/members.schema.json#/$defs/Owner": isOwner,
    "members.schema.json#/$defs/HookForm": isHookForm,
    "../common.schema.json#/$defs/AgentName": isAgentName,
    "../workflow/members.schema.json#/$defs/EventName": isEventName,
    "../schedule/members.schema.json#/$defs/Cap": isCap,
    "../schedule/members.schema.json#/$defs/CapUse": isCapUse,
    "../schedule/fire.schema.json": isFire,
    "../common.schema.json#/$defs/Timestamp": isTimestamp,
  }),
});
export const isHookHeader: SchemaValidator<Types.HookHeader> = /* @__PURE__ */ validator({
  file: hookMembersFile,
  definition: "HookHeader",
});
export const isHookPlace: SchemaValidator<Types.HookPlace> = /* @__PURE__ */ validator({
  file: hookMembersFile,
  definition: "HookPlace",
});
export const isHookForm: SchemaValidator<Types.HookForm> = /* @__PURE__ */ validator({
  file: hookMembersFile,
  definition: "HookForm",
  refs: () => ({ "#/$defs/HookHeader": isHookHeader }),
});
export const isAnswerInputParams: SchemaValidator<Types.AnswerInputParams> = /* @__PURE__ */ validator({
  file: inputAnswerInputParamsFile,
  refs: () => ({
    "members.schema.json#/$defs/InputRequestId": isInputRequestId,
    "input-answer.schema.json": isInputAnswer,
    "input-voter.schema.json": isInputVoter,
  }),
});
export const isAnswerInputResult: SchemaValidator<Types.AnswerInputResult> = /* @__PURE__ */ validator({
  file: inputAnswerInputResultFile,
  refs: () => ({ "input-request.schema.json": isInputRequest }),
});
export const isClaimInputRequestParams: SchemaValidator<Types.ClaimInputRequestParams> = /* @__PURE__ */ validator({
  file: inputClaimInputRequestParamsFile,
  refs: () => ({ "members.schema.json#/$defs/InputRequestId": isInputRequestId }),
});
export const isGetInputRequestParams: SchemaValidator<Types.GetInputRequestParams> = /* @__PURE__ */ validator({
  file: inputGetInputRequestParamsFile,
  refs: () => ({ "members.schema.json#/$defs/InputRequestId": isInputRequestId }),
});
export const isInputAction: SchemaValidator<Types.InputAction> = /* @__PURE__ */ validator({
  file: inputInputActionFile,
});
export const isInputAnswer: SchemaValidator<Types.InputAnswer> = /* @__PURE__ */ validator({
  file: inputInputAnswerFile,
  refs: () => ({ "members.schema.json#/$defs/InputValue": isInputValue }),
});
export const isInputDeciders: SchemaValidator<Types.InputDeciders> = /* @__PURE__ */ validator({
  file: inputInputDecidersFile,
});
export const isInputDecision: SchemaValidator<Types.InputDecision> = /* @__PURE__ */ validator({
  file: inputInputDecisionFile,
  refs: () => ({ "input-answer.schema.json": isInputAnswer }),
});
export const isInputField: SchemaValidator<Types.InputField> = /* @__PURE__ */ validator({
  file: inputInputFieldFile,
  refs: () => ({ "members.schema.json#/$defs/InputValue": isInputValue }),
});
export const isInputOption: SchemaValidator<Types.InputOption> = /* @__PURE__ */ validator({
  file: inputInputOptionFile,
});
export const isInputRequestList: SchemaValidator<Types.InputRequestList> = /* @__PURE__ */ validator({
  file: inputInputRequestListFile,
  refs: () => ({ "input-request.schema.json": isInputRequest }),
});
export const isInputRequest: SchemaValidator<Types.InputRequest> = /* @__PURE__ */ validator({
  file: inputInputRequestFile,
  refs: () => ({
    "members.schema.json#/$defs/InputRequestId": isInputRequestId,
    "../common.schema.json#/$defs/TaskId": isTaskId,
    "../workflow/members.schema.json#/$defs/RunId": isRunId,
    "../common.schema.json#/$defs/CorrelationId": isCorrelationId,
    "members.schema.json#/$defs/InputKind": isInputKind,
    "members.schema.json#/$defs/InputState": isInputState,
    "input-action.schema.json": isInputAction,
    "input-option.schema.json": isInputOption,
    "input-schema.schema.json": isInputSchema,
    "input-deciders.schema.json": isInputDeciders,
    "members.schema.json#/$defs/InputVisibility": isInputVisibility,
    "../common.schema.json#/$defs/Timestamp": isTimestamp,
    "input-vote.schema.json": isInputVote,
    "input-answer.schema.json": isInputAnswer,
  }),
});
export const isInputSchema: SchemaValidator<Types.InputSchema> = /* @__PURE__ */ validator({
  file: inputInputSchemaFile,
  refs: () => ({ "input-field.schema.json": isInputField }),
});
export const isInputVote: SchemaValidator<Types.InputVote> = /* @__PURE__ */ validator({
  file: inputInputVoteFile,
  refs: () => ({ "../common.schema.json#/$defs/Timestamp": isTimestamp }),
});
export const isInputVoter: SchemaValidator<Types.InputVoter> = /* @__PURE__ */ validator({ file: inputInputVoterFile });
export const isInputWithdrawal: SchemaValidator<Types.InputWithdrawal> = /* @__PURE__ */ validator({
  file: inputInputWithdrawalFile,
});
export const isListInputRequestsParams: SchemaValidator<Types.ListInputRequestsParams> = /* @__PURE__ */ validator({
  file: inputListInputRequestsParamsFile,
  refs: () => ({
    "../common.schema.json#/$defs/TaskId": isTaskId,
    "members.schema.json#/$defs/InputState": isInputState,
  }),
});
export const isListInputRequestsResult: SchemaValidator<Types.ListInputRequestsResult> = /* @__PURE__ */ validator({
  file: inputListInputRequestsResultFile,
  refs: () => ({ "input-request.schema.json": isInputRequest }),
});
export const isInputRequestId: SchemaValidator<Types.InputRequestId> = /* @__PURE__ */ validator({
  file: inputMembersFile,
  definition: "InputRequestId",
});
export const isInputKind: SchemaValidator<Types.InputKind> = /* @__PURE__ */ validator({
  file: inputMembersFile,
  definition: "InputKind",
});
export const isInputState: SchemaValidator<Types.InputState> = /* @__PURE__ */ validator({
  file: inputMembersFile,
  definition: "InputState",
});
export const isInputVisibility: SchemaValidator<Types.InputVisibility> = /* @__PURE__ */ validator({
  file: inputMembersFile,
  definition: "InputVisibility",
});
export const isInputValue: SchemaValidator<Types.InputValue> = /* @__PURE__ */ validator({
  file: inputMembersFile,
  definition: "InputValue",
});
export const isJsonRpcError: SchemaValidator<Types.JsonRpcError> = /* @__PURE__ */ validator({
  file: jsonrpcErrorFile,
});
export const isJsonRpcId: SchemaValidator<Types.JsonRpcId> = /* @__PURE__ */ validator({ file: jsonrpcIdFile });
export const isParamProblem: SchemaValidator<Types.ParamProblem> = /* @__PURE__ */ validator({
  file: jsonrpcParamProblemFile,
});
export const isJsonRpcRequest: SchemaValidator<Types.JsonRpcRequest> = /* @__PURE__ */ validator({
  file: jsonrpcRequestFile,
  refs: () => ({ "id.schema.json": isJsonRpcId }),
});
export const isJsonRpcResponse: SchemaValidator<Types.JsonRpcResponse> = /* @__PURE__ */ validator({
  file: jsonrpcResponseFile,
  refs: () => ({ "id.schema.json": isJsonRpcId, "error.schema.json": isJsonRpcError }),
});
export const isZoneErrorData: SchemaValidator<Types.ZoneErrorData> = /* @__PURE__ */ validator({
  file: jsonrpcZoneErrorDataFile,
  refs: () => ({
    "../common.schema.json#/$defs/ErrorKind": isErrorKind,
    "../common.schema.json#/$defs/CorrelationId": isCorrelationId,
    "../common.schema.json#/$defs/TaskId": isTaskId,
    "param-problem.schema.json": isParamProblem,
    "../task/task-progress.schema.json": isTaskProgress,
    "../task/failed-run.schema.json": isFailedRun,
  }),
});
export const isZoneRequest: SchemaValidator<Types.ZoneRequest> = /* @__PURE__ */ validator({
  file: jsonrpcZoneRequestFile,
  refs: () => ({ "../common.schema.json#/$defs/RequestId": isRequestId }),
});
export const isMcpApproval: SchemaValidator<Types.McpApproval> = /* @__PURE__ */ validator({
  file: mcpMcpApprovalFile,
});
export const isMcpServerList: SchemaValidator<Types.McpServerList> = /* @__PURE__ */ validator({
  file: mcpMcpServerListFile,
  refs: () => ({ "mcp-server.schema.json": isMcpServer }),
});
export const isMcpServer: SchemaValidator<Types.McpServer> = /* @__PURE__ */ validator({
  file: mcpMcpServerFile,
  refs: () => ({ "mcp-tool.schema.json": isMcpTool }),
});
export const isMcpTool: SchemaValidator<Types.McpTool> = /* @__PURE__ */ validator({
  file: mcpMcpToolFile,
  refs: () => ({ "../common.schema.json#/$defs/Timestamp": isTimestamp }),
});
export const isAgentActivity: SchemaValidator<Types.AgentActivity> = /* @__PURE__ */ validator({
  file: registryAgentActivityFile,
  refs: () => ({ "../common.schema.json#/$defs/Timestamp": isTimestamp }),
});
export const isAgentAuditEntry: SchemaValidator<Types.AgentAuditEntry> = /* @__PURE__ */ validator({
  file: registryAgentAuditEntryFile,
  refs: () => ({
    "../common.schema.json#/$defs/Timestamp": isTimestamp,
    "../common.schema.json#/$defs/CorrelationId": isCorrelationId,
    "agent-settings.schema.json": isAgentSettings,
  }),
});
export const isAgentAuditList: SchemaValidator<Types.AgentAuditList> = /* @__PURE__ */ validator({
  file: registryAgentAuditListFile,
  refs: () => ({ "agent-audit-entry.schema.json": isAgentAuditEntry }),
});
export const isAgentAuth: SchemaValidator<Types.AgentAuth> = /* @__PURE__ */ validator({
  file: registryAgentAuthFile,
  refs: () => ({
    "../common.schema.json#/$defs/SecretReference": isSecretReference,
    "members.schema.json#/$defs/AgentUrl": isAgentUrl,
  }),
});
export const isAgentBreaker: SchemaValidator<Types.AgentBreaker> = /* @__PURE__ */ validator({
  file: registryAgentBreakerFile,
});
export const isAgentFailedCallList: SchemaValidator<Types.AgentFailedCallList> = /* @__PURE__ */ validator({
  file: registryAgentFailedCallListFile,
  refs: () => ({
    "../common.schema.json#/$defs/Timestamp": isTimestamp,
    "../workflow/members.schema.json#/$defs/StepPath": isStepPath,
  }),
});
export const isAgentHealth: SchemaValidator<Types.AgentHealth> = /* @__PURE__ */ validator({
  file: registryAgentHealthFile,
  refs: () => ({
    "../common.schema.json#/$defs/AgentName": isAgentName,
    "../common.schema.json#/$defs/Timestamp": isTimestamp,
  }),
});
export const isAgentList: SchemaValidator<Types.AgentList> = /* @__PURE__ */ validator({
  file: registryAgentListFile,
  refs: () => ({ "agent-record.schema.json": isAgentRecord }),
});
export const isAgentMigrationEntry: SchemaValidator<Types.AgentMigrationEntry> = /* @__PURE__ */ validator({
  file: registryAgentMigrationEntryFile,
  refs: () => ({
    "../common.schema.json#/$defs/AgentName": isAgentName,
    "members.schema.json#/$defs/AgentProtocol": isAgentProtocol,
  }),
});
export const isAgentMigrationRequest: SchemaValidator<Types.AgentMigrationRequest> = /* @__PURE__ */ validator({
  file: registryAgentMigrationRequestFile,
  refs: () => ({
    "members.schema.json#/$defs/AgentProtocol": isAgentProtocol,
    "../common.schema.json#/$defs/AgentName": isAgentName,
  }),
});
export const isAgentMigration: SchemaValidator<Types.AgentMigration> = /* @__PURE__ */ validator({
  file: registryAgentMigrationFile,
  refs: () => ({
    "members.schema.json#/$defs/AgentProtocol": isAgentProtocol,
    "agent-migration-entry.schema.json": isAgentMigrationEntry,
  }),
});
export const isAgentPrevious: SchemaValidator<Types.AgentPrevious> = /* @__PURE__ */ validator({
  file: registryAgentPreviousFile,
  refs: () => ({
    "members.schema.json#/$defs/AgentProtocol": isAgentProtocol,
    "agent-protocol-config.schema.json": isAgentProtocolConfig,
    "members.schema.json#/$defs/AgentUrl": isAgentUrl,
    "../common.schema.json#/$defs/Timestamp": isTimestamp,
  }),
});
export const isAgentProtocolConfig: SchemaValidator<Types.AgentProtocolConfig> = /* @__PURE__ */ validator({
  file: registryAgentProtocolConfigFile,
  refs: () => ({ "../a2a/v0.3/send-method.schema.json": isA2ASendMethod }),
});
export const isAgentRecord: SchemaValidator<Types.AgentRecord> = /* @__PURE__ */ validator({
  file: registryAgentRecordFile,
  refs: () => ({
    "../common.schema.json#/$defs/AgentName": isAgentName,
    "members.schema.json#/$defs/AgentUrl": isAgentUrl,
    "members.schema.json#/$defs/AgentDescription": isAgentDescription,
    "members.schema.json#/$defs/AgentProtocol": isAgentProtocol,
    "agent-protocol-config.schema.json": isAgentProtocolConfig,
    "agent-auth.schema.json": isAgentAuth,
    "members.schema.json#/$defs/AgentTimeout": isAgentTimeout,
    "members.schema.json#/$defs/AgentConcurrency": isAgentConcurrency,
    "agent-retry.schema.json": isAgentRetry,
    "agent-breaker.schema.json": isAgentBreaker,
    "agent-activity.schema.json": isAgentActivity,
    "agent-previous.schema.json": isAgentPrevious,
    "../common.schema.json#/$defs/Timestamp": isTimestamp,
  }),
});
export const isAgentRetry: SchemaValidator<Types.AgentRetry> = /* @__PURE__ */ validator({
  file: registryAgentRetryFile,
});
export const isAgentSettings: SchemaValidator<Types.AgentSettings> = /* @__PURE__ */ validator({
  file: registryAgentSettingsFile,
  refs: () => ({
    "../common.schema.json#/$defs/AgentName": isAgentName,
    "members.schema.json#/$defs/AgentUrl": isAgentUrl,
    "members.schema.json#/$defs/AgentDescription": isAgentDescription,
    "members.schema.json#/$defs/AgentProtocol": isAgentProtocol,
    "agent-protocol-config.schema.json": isAgentProtocolConfig,
    "agent-auth.schema.json": isAgentAuth,
    "members.schema.json#/$defs/AgentTimeout": isAgentTimeout,
    "members.schema.json#/$defs/AgentConcurrency": isAgentConcurrency,
    "agent-retry.schema.json": isAgentRetry,
    "agent-breaker.schema.json": isAgentBreaker,
  }),
});
export const isAgentTestExchange: SchemaValidator<Types.AgentTestExchange> = /* @__PURE__ */ validator({
  file: registryAgentTestExchangeFile,
  refs: () => ({
    "../common.schema.json#/$defs/Timestamp": isTimestamp,
    "members.schema.json#/$defs/AgentProtocol": isAgentProtocol,
  }),
});
export const isAgentTestRequest: SchemaValidator<Types.AgentTestRequest> = /* @__PURE__ */ validator({
  file: registryAgentTestRequestFile,
  refs: () => ({
    "../common.schema.json#/$defs/AgentName": isAgentName,
    "members.schema.json#/$defs/AgentUrl": isAgentUrl,
    "members.schema.json#/$defs/AgentProtocol": isAgentProtocol,
  }),
});
export const isAgentTest: SchemaValidator<Types.AgentTest> = /* @__PURE__ */ validator({
  file: registryAgentTestFile,
  refs: () => ({
    "agent-health.schema.json": isAgentHealth,
    "agent-test-exchange.schema.json": isAgentTestExchange,
    "../bus/agent-error.schema.json": isAgentError,
  }),
});
export const isAgentUrl: SchemaValidator<Types.AgentUrl> = /* @__PURE__ */ validator({
  file: registryMembersFile,
  definition: "AgentUrl",
});
export const isAgentDescription: SchemaValidator<Types.AgentDescription> = /* @__PURE__ */ validator({
  file: registryMembersFile,
  definition: "AgentDescription",
});
export const isAgentProtocol: SchemaValidator<Types.AgentProtocol> = /* @__PURE__ */ validator({
  file: registryMembersFile,
  definition: "AgentProtocol",
});
export const isAgentTimeout: SchemaValidator<Types.AgentTimeout> = /* @__PURE__ */ validator({
  file: registryMembersFile,
  definition: "AgentTimeout",
});
export const isAgentConcurrency: SchemaValidator<Types.AgentConcurrency> = /* @__PURE__ */ validator({
  file: registryMembersFile,
  definition: "AgentConcurrency",
});
export const isProblem: SchemaValidator<Types.Problem> = /* @__PURE__ */ validator({
  file: registryProblemFile,
  refs: () => ({
    "../common.schema.json#/$defs/CorrelationId": isCorrelationId,
    "../jsonrpc/param-problem.schema.json": isParamProblem,
  }),
});
export const isChangeScheduleParams: SchemaValidator<Types.ChangeScheduleParams> = /* @__PURE__ */ validator({
  file: scheduleChangeScheduleParamsFile,
  refs: () => ({
    "members.schema.json#/$defs/ScheduleName": isScheduleName,
    "members.schema.json#/$defs/ScheduleChange": isScheduleChange,
  }),
});
export const isChangeScheduleResult: SchemaValidator<Types.ChangeScheduleResult> = /* @__PURE__ */ validator({
  file: scheduleChangeScheduleResultFile,
  refs: () => ({ "schedule.schema.json": isSchedule, "fire.schema.json": isFire }),
});
export const isFireList: SchemaValidator<Types.FireList> = /* @__PURE__ */ validator({
  file: scheduleFireListFile,
  refs: () => ({ "fire.schema.json": isFire }),
});
export const isFire: SchemaValidator<Types.Fire> = /* @__PURE__ */ validator({
  file: scheduleFireFile,
  refs: () => ({
    "members.schema.json#/$defs/FireId": isFireId,
    "members.schema.json#/$defs/FireSource": isFireSource,
    "members.schema.json#/$defs/ScheduleName": isScheduleName,
    "members.schema.json#/$defs/FireState": isFireState,
    "../common.schema.json#/$defs/MessageState": isMessageState,
    "members.schema.json#/$defs/Owner": isOwner,
    "../common.schema.json#/$defs/AgentName": isAgentName,
    "../common.schema.json#/$defs/Timestamp": isTimestamp,
  }),
});
export const isListFiresParams: SchemaValidator<Types.ListFiresParams> = /* @__PURE__ */ validator({
  file: scheduleListFiresParamsFile,
});
export const isListFiresResult: SchemaValidator<Types.ListFiresResult> = /* @__PURE__ */ validator({
  file: scheduleListFiresResultFile,
  refs: () => ({ "fire.schema.json": isFire }),
});
export const isListSchedulesParams: SchemaValidator<Types.ListSchedulesParams> = /* @__PURE__ */ validator({
  file: scheduleListSchedulesParamsFile,
});
export const isListSchedulesResult: SchemaValidator<Types.ListSchedulesResult> = /* @__PURE__ */ validator({
  file: scheduleListSchedulesResultFile,
  refs: () => ({ "schedule.schema.json": isSchedule }),
});
export const isScheduleName: SchemaValidator<Types.ScheduleName> = /* @__PURE__ */ validator({
  file: scheduleMembersFile,
  definition: "ScheduleName",
});
export const isFireId: SchemaValidator<Types.FireId> = /* @__PURE__ */ validator({
  file: scheduleMembersFile,
  definition: "FireId",
});
export const isFireSource: SchemaValidator<Types.FireSource> = /* @__PURE__ */ validator({
  file: scheduleMembersFile,
  definition: "FireSource",
});
export const isFireState: SchemaValidator<Types.FireState> = /* @__PURE__ */ validator({
  file: scheduleMembersFile,
  definition: "FireState",
});
export const isOwner: SchemaValidator<Types.Owner> = /* @__PURE__ */ validator({
  file: scheduleMembersFile,
  definition: "Owner",
});
export const isCap: SchemaValidator<Types.Cap> = /* @__PURE__ */ validator({
  file: scheduleMembersFile,
  definition: "Cap",
});
export const isScheduleState: SchemaValidator<Types.ScheduleState> = /* @__PURE__ */ validator({
  file: scheduleMembersFile,
  definition: "ScheduleState",
});
export const isScheduleChange: SchemaValidator<Types.ScheduleChange> = /* @__PURE__ */ validator({
  file: scheduleMembersFile,
  definition: "ScheduleChange",
});
export const isCapUse: SchemaValidator<Types.CapUse> = /* @__PURE__ */ validator({
  file: scheduleMembersFile,
  definition: "CapUse",
});
export const isNewSchedule: SchemaValidator<Types.NewSchedule> = /* @__PURE__ */ validator({
  file: scheduleNewScheduleFile,
  refs: () => ({
    "members.schema.json#/$defs/ScheduleName": isScheduleName,
    "schedule-settings.schema.json": isScheduleSettings,
  }),
});
export const isSaveScheduleParams: SchemaValidator<Types.SaveScheduleParams> = /* @__PURE__ */ validator({
  file: scheduleSaveScheduleParamsFile,
  refs: () => ({
    "members.schema.json#/$defs/ScheduleName": isScheduleName,
    "schedule-settings.schema.json": isScheduleSettings,
  }),
});
export const isSaveScheduleResult: SchemaValidator<Types.SaveScheduleResult> = /* @__PURE__ */ validator({
  file: scheduleSaveScheduleResultFile,
  refs: () => ({ "schedule.schema.json": isSchedule }),
});
export const isScheduleList: SchemaValidator<Types.ScheduleList> = /* @__PURE__ */ validator({
  file: scheduleScheduleListFile,
  refs: () => ({ "schedule.schema.json": isSchedule, "../common.schema.json#/$defs/Names": isNames }),
});
export const isScheduleSettings: SchemaValidator<Types.ScheduleSettings> = /* @__PURE__ */ validator({
  file: scheduleScheduleSettingsFile,
  refs: () => ({
    "members.schema.json#/$defs/Owner": isOwner,
    "../common.schema.json#/$defs/AgentName": isAgentName,
    "members.schema.json#/$defs/Cap": isCap,
  }),
});
export const isSchedule: SchemaValidator<Types.Schedule> = /* @__PURE__ */ validator({
  file: scheduleScheduleFile,
  refs: () => ({
    "members.schema.json#/$defs/ScheduleName": isScheduleName,
    "schedule-settings.schema.json": isScheduleSettings,
    "members.schema.json#/$defs/ScheduleState": isScheduleState,
    "../input/members.schema.json#/$defs/InputRequestId": isInputRequestId,
    "../common.schema.json#/$defs/Timestamp": isTimestamp,
    "fire.schema.json": isFire,
    "members.schema.json#/$defs/CapUse": isCapUse,
    "../common.schema.json#/$defs/Names": isNames,
  }),
});
export const isTakeFireParams: SchemaValidator<Types.TakeFireParams> = /* @__PURE__ */ validator({
  file: scheduleTakeFireParamsFile,
  refs: () => ({ "members.schema.json#/$defs/FireId": isFireId }),
});
export const isTakeFireResult: SchemaValidator<Types.TakeFireResult> = /* @__PURE__ */ validator({
  file: scheduleTakeFireResultFile,
  refs: () => ({ "members.schema.json#/$defs/FireState": isFireState }),
});
export const isAgentsSection: SchemaValidator<Types.AgentsSection> = /* @__PURE__ */ validator({
  file: settingsAgentsSectionFile,
  refs: () => ({ "../registry/agent-settings.schema.json": isAgentSettings }),
});
export const isApprovalDeciders: SchemaValidator<Types.ApprovalDeciders> = /* @__PURE__ */ validator({
  file: settingsApprovalDecidersFile,
  refs: () => ({ "members.schema.json#/$defs/SlackIds": isSlackIds }),
});
export const isApprovalRule: SchemaValidator<Types.ApprovalRule> = /* @__PURE__ */ validator({
  file: settingsApprovalRuleFile,
  refs: () => ({
    "members.schema.json#/$defs/SettingText": isSettingText,
    "approval-deciders.schema.json": isApprovalDeciders,
    "members.schema.json#/$defs/TimeSpan": isTimeSpan,
    "members.schema.json#/$defs/SlackIds": isSlackIds,
  }),
});
export const isApprovalSettings: SchemaValidator<Types.ApprovalSettings> = /* @__PURE__ */ validator({
  file: settingsApprovalTermsFile,
  refs: () => ({
    "approval-deciders.schema.json": isApprovalDeciders,
    "members.schema.json#/$defs/TimeSpan": isTimeSpan,
    "members.schema.json#/$defs/SlackIds": isSlackIds,
  }),
});
export const isApprovalsSection: SchemaValidator<Types.ApprovalsSection> = /* @__PURE__ */ validator({
  file: settingsApprovalsSectionFile,
  refs: () => ({ "approval-terms.schema.json": isApprovalSettings, "approval-rule.schema.json": isApprovalRule }),
});
export const isAssistantChannel: SchemaValidator<Types.AssistantChannel> = /* @__PURE__ */ validator({
  file: settingsAssistantChannelFile,
});
export const isAssistantChannels: SchemaValidator<Types.AssistantChannels> = /* @__PURE__ */ validator({
  file: settingsAssistantChannelsFile,
  refs: () => ({
    "members.schema.json#/$defs/ConversationId": isConversationId,
    "assistant-channel.schema.json": isAssistantChannel,
  }),
});
export const isAssistantSection: SchemaValidator<Types.AssistantSection> = /* @__PURE__ */ validator({
  file: settingsAssistantSectionFile,
  refs: () => ({
    "assistant-channels.schema.json": isAssistantChannels,
    "members.schema.json#/$defs/TeamId": isTeamId,
    "assistant-team.schema.json": isAssistantTeam,
  }),
});
export const isAssistantTeam: SchemaValidator<Types.AssistantTeam> = /* @__PURE__ */ validator({
  file: settingsAssistantTeamFile,
  refs: () => ({ "assistant-channels.schema.json": isAssistantChannels }),
});
export const isCardKeysSection: SchemaValidator<Types.CardKeysSection> = /* @__PURE__ */ validator({
  file: settingsCardKeysSectionFile,
});
export const isConsoleRoles: SchemaValidator<Types.ConsoleRoles> = /* @__PURE__ */ validator({
  file: settingsConsoleRolesFile,
  refs: () => ({ "members.schema.json#/$defs/GroupNames": isGroupNames }),
});
export const isConsoleSection: SchemaValidator<Types.ConsoleSection> = /* @__PURE__ */ validator({
  file: settingsConsoleSectionFile,
  refs: () => ({
    "members.schema.json#/$defs/WebAddress": isWebAddress,
    "members.schema.json#/$defs/SettingText": isSettingText,
    "members.schema.json#/$defs/ClaimPath": isClaimPath,
    "console-roles.schema.json": isConsoleRoles,
    "members.schema.json#/$defs/GroupNames": isGroupNames,
    "console-session.schema.json": isConsoleSession,
  }),
});
export const isConsoleSession: SchemaValidator<Types.ConsoleSession> = /* @__PURE__ */ validator({
  file: settingsConsoleSessionFile,
  refs: () => ({ "members.schema.json#/$defs/TimeSpan": isTimeSpan }),
});
export const isExecutionSettings: SchemaValidator<Types.ExecutionSettings> = /* @__PURE__ */ validator({
  file: settingsExecutionSettingsFile,
  refs: () => ({
    "agents-section.schema.json": isAgentsSection,
    "members.schema.json#/$defs/SettingFiles": isSettingFiles,
    "card-keys-section.schema.json": isCardKeysSection,
    "programs-section.schema.json": isProgramsSection,
    "hooks-section.schema.json": isHooksSection,
    "schedules-section.schema.json": isSchedulesSection,
    "mcp-section.schema.json": isMcpSection,
    "approvals-section.schema.json": isApprovalsSection,
    "console-section.schema.json": isConsoleSection,
    "assistant-section.schema.json": isAssistantSection,
  }),
});
export const isHooksSection: SchemaValidator<Types.HooksSection> = /* @__PURE__ */ validator({
  file: settingsHooksSectionFile,
  refs: () => ({ "../hook/hook-settings.schema.json": isHookSettings }),
});
export const isMcpOAuthSettings: SchemaValidator<Types.McpOAuthSettings> = /* @__PURE__ */ validator({
  file: settingsMcpOauthFile,
  refs: () => ({
    "members.schema.json#/$defs/WebAddress": isWebAddress,
    "../common.schema.json#/$defs/SecretReference": isSecretReference,
  }),
});
export const isMcpSection: SchemaValidator<Types.McpSection> = /* @__PURE__ */ validator({
  file: settingsMcpSectionFile,
  refs: () => ({ "mcp-server-settings.schema.json": isMcpServerSettings }),
});
export const isMcpServerSettings: SchemaValidator<Types.McpServerSettings> = /* @__PURE__ */ validator({
  file: settingsMcpServerSettingsFile,
  refs: () => ({
    "members.schema.json#/$defs/WebAddress": isWebAddress,
    "../common.schema.json#/$defs/SecretReference": isSecretReference,
    "mcp-oauth.schema.json": isMcpOAuthSettings,
    "members.schema.json#/$defs/TimeSpan": isTimeSpan,
    "members.schema.json#/$defs/SettingText": isSettingText,
  }),
});
export const isTimeSpan: SchemaValidator<Types.TimeSpan> = /* @__PURE__ */ validator({
  file: settingsMembersFile,
  definition: "TimeSpan",
});
export const isWebAddress: SchemaValidator<Types.WebAddress> = /* @__PURE__ */ validator({
  file: settingsMembersFile,
  definition: "WebAddress",
});
export const isSettingText: SchemaValidator<Types.SettingText> = /* @__PURE__ */ validator({
  file: settingsMembersFile,
  definition: "SettingText",
});
export const isSettingFiles: SchemaValidator<Types.SettingFiles> = /* @__PURE__ */ validator({
  file: settingsMembersFile,
  definition: "SettingFiles",
});
export const isClaimPath: SchemaValidator<Types.ClaimPath> = /* @__PURE__ */ validator({
  file: settingsMembersFile,
  definition: "ClaimPath",
  refs: () => ({ "members.schema.json#/$defs/SettingText": isSettingText }),
});
export const isGroupNames: SchemaValidator<Types.GroupNames> = /* @__PURE__ */ validator({
  file: settingsMembersFile,
  definition: "GroupNames",
  refs: () => ({ "members.schema.json#/$defs/SettingText": isSettingText }),
});
export const isSlackIds: SchemaValidator<Types.SlackIds> = /* @__PURE__ */ validator({
  file: settingsMembersFile,
  definition: "SlackIds",
});
export const isConversationId: SchemaValidator<Types.ConversationId> = /* @__PURE__ */ validator({
  file: settingsMembersFile,
  definition: "ConversationId",
});
export const isTeamId: SchemaValidator<Types.TeamId> = /* @__PURE__ */ validator({
  file: settingsMembersFile,
  definition: "TeamId",
});
export const isUserId: SchemaValidator<Types.UserId> = /* @__PURE__ */ validator({
  file: settingsMembersFile,
  definition: "UserId",
});
export const isAppOrUserId: SchemaValidator<Types.AppOrUserId> = /* @__PURE__ */ validator({
  file: settingsMembersFile,
  definition: "AppOrUserId",
});
export const isReactionName: SchemaValidator<Types.ReactionName> = /* @__PURE__ */ validator({
  file: settingsMembersFile,
  definition: "ReactionName",
});
export const isFollowMode: SchemaValidator<Types.FollowMode> = /* @__PURE__ */ validator({
  file: settingsMembersFile,
  definition: "FollowMode",
});
export const isPolicySection: SchemaValidator<Types.PolicySection> = /* @__PURE__ */ validator({
  file: settingsPolicySectionFile,
  refs: () => ({
    "members.schema.json#/$defs/TeamId": isTeamId,
    "members.schema.json#/$defs/ConversationId": isConversationId,
    "members.schema.json#/$defs/UserId": isUserId,
    "members.schema.json#/$defs/SettingText": isSettingText,
    "members.schema.json#/$defs/FollowMode": isFollowMode,
    "members.schema.json#/$defs/AppOrUserId": isAppOrUserId,
    "members.schema.json#/$defs/ReactionName": isReactionName,
  }),
});
export const isProgramGrant: SchemaValidator<Types.ProgramGrant> = /* @__PURE__ */ validator({
  file: settingsProgramGrantFile,
  refs: () => ({
    "program-subject.schema.json": isProgramSubject,
    "members.schema.json#/$defs/SettingText": isSettingText,
  }),
});
export const isProgramIssuer: SchemaValidator<Types.ProgramIssuer> = /* @__PURE__ */ validator({
  file: settingsProgramIssuerFile,
  refs: () => ({
    "members.schema.json#/$defs/WebAddress": isWebAddress,
    "members.schema.json#/$defs/SettingText": isSettingText,
  }),
});
export const isProgramSubject: SchemaValidator<Types.ProgramSubject> = /* @__PURE__ */ validator({
  file: settingsProgramSubjectFile,
  refs: () => ({ "members.schema.json#/$defs/SettingText": isSettingText }),
});
export const isProgramsSection: SchemaValidator<Types.ProgramsSection> = /* @__PURE__ */ validator({
  file: settingsProgramsSectionFile,
  refs: () => ({ "program-issuer.schema.json": isProgramIssuer, "program-grant.schema.json": isProgramGrant }),
});
export const isScheduleEntry: SchemaValidator<Types.ScheduleEntry> = /* @__PURE__ */ validator({
  file: settingsScheduleEntryFile,
  refs: () => ({
    "../schedule/members.schema.json#/$defs/ScheduleName": isScheduleName,
    "../schedule/members.schema.json#/$defs/Owner": isOwner,
    "../common.schema.json#/$defs/AgentName": isAgentName,
    "../schedule/members.schema.json#/$defs/Cap": isCap,
  }),
});
export const isSchedulesSection: SchemaValidator<Types.SchedulesSection> = /* @__PURE__ */ validator({
  file: settingsSchedulesSectionFile,
  refs: () => ({ "schedule-entry.schema.json": isScheduleEntry }),
});
export const isVerificationSettings: SchemaValidator<Types.VerificationSettings> = /* @__PURE__ */ validator({
  file: settingsVerificationSettingsFile,
  refs: () => ({
    "policy-section.schema.json": isPolicySection,
    "members.schema.json#/$defs/SettingFiles": isSettingFiles,
  }),
});
export const isSimpleA2ARequest: SchemaValidator<Types.SimpleA2ARequest> = /* @__PURE__ */ validator({
  file: simpleA2aRequestFile,
  refs: () => ({ "../common.schema.json#/$defs/BusId": isBusId }),
});
export const isSimpleA2AResponse: SchemaValidator<Types.SimpleA2AResponse> = /* @__PURE__ */ validator({
  file: simpleA2aResponseFile,
});
export const isAgentCall: SchemaValidator<Types.AgentCall> = /* @__PURE__ */ validator({
  file: taskAgentCallFile,
  refs: () => ({
    "../common.schema.json#/$defs/AgentErrorKind": isAgentErrorKind,
    "../common.schema.json#/$defs/Timestamp": isTimestamp,
  }),
});
export const isAttachment: SchemaValidator<Types.Attachment> = /* @__PURE__ */ validator({ file: taskAttachmentFile });
export const isCancelTaskParams: SchemaValidator<Types.CancelTaskParams> = /* @__PURE__ */ validator({
  file: taskCancelTaskParamsFile,
  refs: () => ({ "../common.schema.json#/$defs/TaskId": isTaskId }),
});
export const isCancelTaskResult: SchemaValidator<Types.CancelTaskResult> = /* @__PURE__ */ validator({
  file: taskCancelTaskResultFile,
  refs: () => ({ "../common.schema.json#/$defs/TaskId": isTaskId }),
});
export const isExecuteTaskParams: SchemaValidator<Types.ExecuteTaskParams> = /* @__PURE__ */ validator({
  file: taskExecuteTaskParamsFile,
  refs: () => ({
    "others-content.schema.json": isOthersContent,
    "unreadable-content.schema.json": isUnreadableContent,
    "../common.schema.json#/$defs/CorrelationId": isCorrelationId,
    "attachment.schema.json": isAttachment,
    "thread-message.schema.json": isThreadMessage,
    "../common.schema.json#/$defs/ContextId": isContextId,
    "../schedule/members.schema.json#/$defs/FireId": isFireId,
  }),
});
export const isExecuteTaskResult: SchemaValidator<Types.ExecuteTaskResult> = /* @__PURE__ */ validator({
  file: taskExecuteTaskResultFile,
  refs: () => ({
    "task-succeeded.schema.json": isTaskSucceeded,
    "task-accepted.schema.json": isTaskAccepted,
    "task-input-required.schema.json": isTaskInputRequired,
  }),
});
export const isFailedRun: SchemaValidator<Types.FailedRun> = /* @__PURE__ */ validator({
  file: taskFailedRunFile,
  refs: () => ({
    "../workflow/members.schema.json#/$defs/WorkflowId": isWorkflowId,
    "../workflow/members.schema.json#/$defs/RunProblemKind": isRunProblemKind,
  }),
});
export const isGetAgentCardParams: SchemaValidator<Types.GetAgentCardParams> = /* @__PURE__ */ validator({
  file: taskGetAgentCardParamsFile,
});
export const isGetAsyncTaskResultParams: SchemaValidator<Types.GetAsyncTaskResultParams> = /* @__PURE__ */ validator({
  file: taskGetAsyncTaskResultParamsFile,
  refs: () => ({ "../common.schema.json#/$defs/TaskId": isTaskId }),
});
export const isGetAsyncTaskResultResult: SchemaValidator<Types.GetAsyncTaskResultResult> = /* @__PURE__ */ validator({
  file: taskGetAsyncTaskResultResultFile,
  refs: () => ({
    "task-succeeded.schema.json": isTaskSucceeded,
    "task-working.schema.json": isTaskWorking,
    "task-input-required.schema.json": isTaskInputRequired,
  }),
});
export const isGetRunChangeParams: SchemaValidator<Types.GetRunChangeParams> = /* @__PURE__ */ validator({
  file: taskGetRunChangeParamsFile,
  refs: () => ({ "../common.schema.json#/$defs/TaskId": isTaskId }),
});
export const isGetRunChangeResult: SchemaValidator<Types.GetRunChangeResult> = /* @__PURE__ */ validator({
  file: taskGetRunChangeResultFile,
});
export const isListAgentsParams: SchemaValidator<Types.ListAgentsParams> = /* @__PURE__ */ validator({
  file: taskListAgentsParamsFile,
});
export const isListAgentsResult: SchemaValidator<Types.ListAgentsResult> = /* @__PURE__ */ validator({
  file: taskListAgentsResultFile,
});
export const isListPersonTasksParams: SchemaValidator<Types.ListPersonTasksParams> = /* @__PURE__ */ validator({
  file: taskListPersonTasksParamsFile,
  refs: () => ({ "../common.schema.json#/$defs/Timestamp": isTimestamp }),
});
export const isListPersonTasksResult: SchemaValidator<Types.ListPersonTasksResult> = /* @__PURE__ */ validator({
  file: taskListPersonTasksResultFile,
  refs: () => ({
    "../common.schema.json#/$defs/TaskId": isTaskId,
    "../common.schema.json#/$defs/CorrelationId": isCorrelationId,
    "../common.schema.json#/$defs/TaskState": isTaskState,
    "../common.schema.json#/$defs/Timestamp": isTimestamp,
  }),
});
export const isMessageLife: SchemaValidator<Types.MessageLife> = /* @__PURE__ */ validator({
  file: taskMessageLifeFile,
  refs: () => ({
    "../common.schema.json#/$defs/CorrelationId": isCorrelationId,
    "message-record.schema.json": isMessageRecord,
    "../common.schema.json#/$defs/MessageStanding": isMessageStanding,
    "../common.schema.json#/$defs/Names": isNames,
    "../common.schema.json#/$defs/MessageAct": isMessageAct,
    "task-life.schema.json": isTaskLife,
  }),
});
export const isMessageList: SchemaValidator<Types.MessageList> = /* @__PURE__ */ validator({
  file: taskMessageListFile,
  refs: () => ({
    "message-record.schema.json": isMessageRecord,
    "../common.schema.json#/$defs/MessageStanding": isMessageStanding,
    "../common.schema.json#/$defs/MessageAct": isMessageAct,
    "task-record.schema.json": isTaskRecord,
    "../common.schema.json#/$defs/Names": isNames,
  }),
});
export const isMessageRecord: SchemaValidator<Types.MessageRecord> = /* @__PURE__ */ validator({
  file: taskMessageRecordFile,
  refs: () => ({
    "../common.schema.json#/$defs/CorrelationId": isCorrelationId,
    "../common.schema.json#/$defs/MessageState": isMessageState,
    "../common.schema.json#/$defs/Timestamp": isTimestamp,
  }),
});
export const isOthersContent: SchemaValidator<Types.OthersContent> = /* @__PURE__ */ validator({
  file: taskOthersContentFile,
});
export const isReadTaskFileParams: SchemaValidator<Types.ReadTaskFileParams> = /* @__PURE__ */ validator({
  file: taskReadTaskFileParamsFile,
  refs: () => ({
    "../common.schema.json#/$defs/TaskId": isTaskId,
    "../common.schema.json#/$defs/TaskFileId": isTaskFileId,
  }),
});
export const isReadTaskFileResult: SchemaValidator<Types.ReadTaskFileResult> = /* @__PURE__ */ validator({
  file: taskReadTaskFileResultFile,
});
export const isReportMessagesParams: SchemaValidator<Types.ReportMessagesParams> = /* @__PURE__ */ validator({
  file: taskReportMessagesParamsFile,
  refs: () => ({ "message-record.schema.json": isMessageRecord }),
});
export const isReportMessagesResult: SchemaValidator<Types.ReportMessagesResult> = /* @__PURE__ */ validator({
  file: taskReportMessagesResultFile,
  refs: () => ({
    "../common.schema.json#/$defs/CorrelationId": isCorrelationId,
    "../common.schema.json#/$defs/MessageAct": isMessageAct,
  }),
});
export const isReportedUsage: SchemaValidator<Types.ReportedUsage> = /* @__PURE__ */ validator({
  file: taskReportedUsageFile,
});
export const isTaskAccepted: SchemaValidator<Types.TaskAccepted> = /* @__PURE__ */ validator({
  file: taskTaskAcceptedFile,
  refs: () => ({ "../common.schema.json#/$defs/TaskId": isTaskId }),
});
export const isTaskEvent: SchemaValidator<Types.TaskEvent> = /* @__PURE__ */ validator({
  file: taskTaskEventFile,
  refs: () => ({
    "../common.schema.json#/$defs/TaskId": isTaskId,
    "task-progress.schema.json": isTaskProgress,
    "../input/input-request.schema.json": isInputRequest,
  }),
});
export const isTaskFailure: SchemaValidator<Types.TaskFailure> = /* @__PURE__ */ validator({
  file: taskTaskFailureFile,
  refs: () => ({ "../common.schema.json#/$defs/ErrorKind": isErrorKind }),
});
export const isTaskFile: SchemaValidator<Types.TaskFile> = /* @__PURE__ */ validator({
  file: taskTaskFileFile,
  refs: () => ({ "../common.schema.json#/$defs/TaskFileId": isTaskFileId }),
});
export const isTaskInputRequired: SchemaValidator<Types.TaskInputRequired> = /* @__PURE__ */ validator({
  file: taskTaskInputRequiredFile,
  refs: () => ({
    "../common.schema.json#/$defs/TaskId": isTaskId,
    "../input/input-request.schema.json": isInputRequest,
    "../common.schema.json#/$defs/Timestamp": isTimestamp,
    "task-progress.schema.json": isTaskProgress,
  }),
});
export const isTaskLife: SchemaValidator<Types.TaskLife> = /* @__PURE__ */ validator({
  file: taskTaskLifeFile,
  refs: () => ({
    "task-record.schema.json": isTaskRecord,
    "../common.schema.json#/$defs/Timestamp": isTimestamp,
    "../input/members.schema.json#/$defs/InputRequestId": isInputRequestId,
    "../input/members.schema.json#/$defs/InputKind": isInputKind,
    "../input/members.schema.json#/$defs/InputState": isInputState,
    "../input/input-deciders.schema.json": isInputDeciders,
    "../workflow/members.schema.json#/$defs/StepPath": isStepPath,
    "../workflow/members.schema.json#/$defs/StepType": isStepType,
    "../workflow/members.schema.json#/$defs/StepTitle": isStepTitle,
    "../common.schema.json#/$defs/AgentName": isAgentName,
    "../workflow/members.schema.json#/$defs/StepState": isStepState,
    "../common.schema.json#/$defs/BusId": isBusId,
  }),
});
export const isTaskList: SchemaValidator<Types.TaskList> = /* @__PURE__ */ validator({
  file: taskTaskListFile,
  refs: () => ({ "task-record.schema.json": isTaskRecord }),
});
export const isTaskProgress: SchemaValidator<Types.TaskProgress> = /* @__PURE__ */ validator({
  file: taskTaskProgressFile,
  refs: () => ({ "../workflow/members.schema.json#/$defs/StepState": isStepState }),
});
export const isTaskRecord: SchemaValidator<Types.TaskRecord> = /* @__PURE__ */ validator({
  file: taskTaskRecordFile,
  refs: () => ({
    "../common.schema.json#/$defs/TaskId": isTaskId,
    "../common.schema.json#/$defs/TaskState": isTaskState,
    "../common.schema.json#/$defs/CorrelationId": isCorrelationId,
    "task-failure.schema.json": isTaskFailure,
    "../common.schema.json#/$defs/Timestamp": isTimestamp,
    "../workflow/members.schema.json#/$defs/RunId": isRunId,
    "agent-call.schema.json": isAgentCall,
  }),
});
export const isTaskSucceeded: SchemaValidator<Types.TaskSucceeded> = /* @__PURE__ */ validator({
  file: taskTaskSucceededFile,
  refs: () => ({
    "../common.schema.json#/$defs/TaskId": isTaskId,
    "task-progress.schema.json": isTaskProgress,
    "task-file.schema.json": isTaskFile,
    "task-usage.schema.json": isTaskUsage,
  }),
});
export const isTaskUsage: SchemaValidator<Types.TaskUsage> = /* @__PURE__ */ validator({
  file: taskTaskUsageFile,
  refs: () => ({ "reported-usage.schema.json": isReportedUsage }),
});
export const isTaskWorking: SchemaValidator<Types.TaskWorking> = /* @__PURE__ */ validator({
  file: taskTaskWorkingFile,
  refs: () => ({ "../common.schema.json#/$defs/TaskId": isTaskId, "task-progress.schema.json": isTaskProgress }),
});
export const isThreadMessage: SchemaValidator<Types.ThreadMessage> = /* @__PURE__ */ validator({
  file: taskThreadMessageFile,
  refs: () => ({
    "others-content.schema.json": isOthersContent,
    "attachment.schema.json": isAttachment,
    "unreadable-content.schema.json": isUnreadableContent,
  }),
});
export const isUnreadableContent: SchemaValidator<Types.UnreadableContent> = /* @__PURE__ */ validator({
  file: taskUnreadableContentFile,
});
export const isApiTokenList: SchemaValidator<Types.ApiTokenList> = /* @__PURE__ */ validator({
  file: tokenApiTokenListFile,
  refs: () => ({ "api-token.schema.json": isApiToken }),
});
export const isApiToken: SchemaValidator<Types.ApiToken> = /* @__PURE__ */ validator({
  file: tokenApiTokenFile,
  refs: () => ({
    "members.schema.json#/$defs/TokenName": isTokenName,
    "members.schema.json#/$defs/TokenScope": isTokenScope,
    "../common.schema.json#/$defs/Timestamp": isTimestamp,
    "token-sender.schema.json": isTokenSender,
  }),
});
export const isCheckTokenParams: SchemaValidator<Types.CheckTokenParams> = /* @__PURE__ */ validator({
  file: tokenCheckTokenParamsFile,
  refs: () => ({
    "members.schema.json#/$defs/TokenDigest": isTokenDigest,
    "members.schema.json#/$defs/TokenScope": isTokenScope,
    "token-sender.schema.json": isTokenSender,
  }),
});
export const isCheckTokenResult: SchemaValidator<Types.CheckTokenResult> = /* @__PURE__ */ validator({
  file: tokenCheckTokenResultFile,
});
export const isCreateTokenRequest: SchemaValidator<Types.CreateTokenRequest> = /* @__PURE__ */ validator({
  file: tokenCreateTokenRequestFile,
  refs: () => ({
    "members.schema.json#/$defs/TokenName": isTokenName,
    "members.schema.json#/$defs/TokenScope": isTokenScope,
    "../common.schema.json#/$defs/Timestamp": isTimestamp,
  }),
});
export const isCreatedToken: SchemaValidator<Types.CreatedToken> = /* @__PURE__ */ validator({
  file: tokenCreatedTokenFile,
  refs: () => ({ "api-token.schema.json": isApiToken }),
});
export const isTokenName: SchemaValidator<Types.TokenName> = /* @__PURE__ */ validator({
  file: tokenMembersFile,
  definition: "TokenName",
});
export const isTokenScope: SchemaValidator<Types.TokenScope> = /* @__PURE__ */ validator({
  file: tokenMembersFile,
  definition: "TokenScope",
});
export const isTokenDigest: SchemaValidator<Types.TokenDigest> = /* @__PURE__ */ validator({
  file: tokenMembersFile,
  definition: "TokenDigest",
});
export const isTokenSender: SchemaValidator<Types.TokenSender> = /* @__PURE__ */ validator({
  file: tokenTokenSenderFile,
});
export const isTokenUseList: SchemaValidator<Types.TokenUseList> = /* @__PURE__ */ validator({
  file: tokenTokenUseListFile,
  refs: () => ({ "token-use.schema.json": isTokenUse }),
});
export const isTokenUse: SchemaValidator<Types.TokenUse> = /* @__PURE__ */ validator({
  file: tokenTokenUseFile,
  refs: () => ({ "../common.schema.json#/$defs/Timestamp": isTimestamp }),
});
export const isGetUsageParams: SchemaValidator<Types.GetUsageParams> = /* @__PURE__ */ validator({
  file: usageGetUsageParamsFile,
});
export const isGetUsageResult: SchemaValidator<Types.GetUsageResult> = /* @__PURE__ */ validator({
  file: usageGetUsageResultFile,
  refs: () => ({ "usage-sum.schema.json": isUsageSum, "usage-budget.schema.json": isUsageBudget }),
});
export const isUsageGrouping: SchemaValidator<Types.UsageGrouping> = /* @__PURE__ */ validator({
  file: usageMembersFile,
  definition: "UsageGrouping",
});
export const isUsageDay: SchemaValidator<Types.UsageDay> = /* @__PURE__ */ validator({
  file: usageMembersFile,
  definition: "UsageDay",
});
export const isUsageBudgetList: SchemaValidator<Types.UsageBudgetList> = /* @__PURE__ */ validator({
  file: usageUsageBudgetListFile,
  refs: () => ({ "../common.schema.json#/$defs/Names": isNames, "usage-budget.schema.json": isUsageBudget }),
});
export const isUsageBudget: SchemaValidator<Types.UsageBudget> = /* @__PURE__ */ validator({
  file: usageUsageBudgetFile,
  refs: () => ({ "../common.schema.json#/$defs/Timestamp": isTimestamp }),
});
export const isUsageReport: SchemaValidator<Types.UsageReport> = /* @__PURE__ */ validator({
  file: usageUsageReportFile,
  refs: () => ({
    "members.schema.json#/$defs/UsageGrouping": isUsageGrouping,
    "../common.schema.json#/$defs/Timestamp": isTimestamp,
    "usage-sum.schema.json": isUsageSum,
    "../common.schema.json#/$defs/Names": isNames,
  }),
});
export const isUsageSum: SchemaValidator<Types.UsageSum> = /* @__PURE__ */ validator({ file: usageUsageSumFile });
export const isStepAttempts: SchemaValidator<Types.StepAttempts> = /* @__PURE__ */ validator({
  file: workflowAttemptsFile,
  refs: () => ({
    "members.schema.json#/$defs/RunId": isRunId,
    "members.schema.json#/$defs/StepPath": isStepPath,
    "step-record.schema.json": isWorkflowStepRecord,
  }),
});
export const isWorkflowDefinition: SchemaValidator<Types.WorkflowDefinition> = /* @__PURE__ */ validator({
  file: workflowDefinitionFile,
  refs: () => ({
    "members.schema.json#/$defs/WorkflowId": isWorkflowId,
    "members.schema.json#/$defs/WorkflowVersion": isWorkflowVersion,
    "members.schema.json#/$defs/WorkflowText": isWorkflowText,
    "members.schema.json#/$defs/StepId": isStepId,
    "step.schema.json": isWorkflowStep,
  }),
});
export const isForkBranch: SchemaValidator<Types.ForkBranch> = /* @__PURE__ */ validator({
  file: workflowForkBranchFile,
  refs: () => ({
    "members.schema.json#/$defs/StepList": isStepList,
    "members.schema.json#/$defs/StepTimeout": isStepTimeout,
  }),
});
export const isRunGraph: SchemaValidator<Types.RunGraph> = /* @__PURE__ */ validator({
  file: workflowGraphFile,
  refs: () => ({
    "members.schema.json#/$defs/RunId": isRunId,
    "members.schema.json#/$defs/RunRevision": isRunRevision,
    "members.schema.json#/$defs/RunState": isRunState,
    "members.schema.json#/$defs/StepId": isStepId,
    "members.schema.json#/$defs/StepTitle": isStepTitle,
    "members.schema.json#/$defs/StepType": isStepType,
    "../common.schema.json#/$defs/AgentName": isAgentName,
    "members.schema.json#/$defs/StepState": isStepState,
  }),
});
export const isWorkflowList: SchemaValidator<Types.WorkflowList> = /* @__PURE__ */ validator({
  file: workflowListFile,
  refs: () => ({ "summary.schema.json": isWorkflowSummary }),
});
export const isStepId: SchemaValidator<Types.StepId> = /* @__PURE__ */ validator({
  file: workflowMembersFile,
  definition: "StepId",
});
export const isWorkflowId: SchemaValidator<Types.WorkflowId> = /* @__PURE__ */ validator({
  file: workflowMembersFile,
  definition: "WorkflowId",
});
export const isWorkflowVersion: SchemaValidator<Types.WorkflowVersion> = /* @__PURE__ */ validator({
  file: workflowMembersFile,
  definition: "WorkflowVersion",
});
export const isStepTitle: SchemaValidator<Types.StepTitle> = /* @__PURE__ */ validator({
  file: workflowMembersFile,
  definition: "StepTitle",
});
export const isWorkflowText: SchemaValidator<Types.WorkflowText> = /* @__PURE__ */ validator({
  file: workflowMembersFile,
  definition: "WorkflowText",
});
export const isStepType: SchemaValidator<Types.StepType> = /* @__PURE__ */ validator({
  file: workflowMembersFile,
  definition: "StepType",
});
export const isNextStep: SchemaValidator<Types.NextStep> = /* @__PURE__ */ validator({
  file: workflowMembersFile,
  definition: "NextStep",
});
export const isStepList: SchemaValidator<Types.StepList> = /* @__PURE__ */ validator({
  file: workflowMembersFile,
  definition: "StepList",
  refs: () => ({ "#/$defs/StepId": isStepId }),
});
export const isStepParallelism: SchemaValidator<Types.StepParallelism> = /* @__PURE__ */ validator({
  file: workflowMembersFile,
  definition: "StepParallelism",
});
export const isStepTimeout: SchemaValidator<Types.StepTimeout> = /* @__PURE__ */ validator({
  file: workflowMembersFile,
  definition: "StepTimeout",
});
export const isWaitTime: SchemaValidator<Types.WaitTime> = /* @__PURE__ */ validator({
  file: workflowMembersFile,
  definition: "WaitTime",
});
export const isEventName: SchemaValidator<Types.EventName> = /* @__PURE__ */ validator({
  file: workflowMembersFile,
  definition: "EventName",
});
export const isOnStepError: SchemaValidator<Types.OnStepError> = /* @__PURE__ */ validator({
  file: workflowMembersFile,
  definition: "OnStepError",
});
export const isRunId: SchemaValidator<Types.RunId> = /* @__PURE__ */ validator({
  file: workflowMembersFile,
  definition: "RunId",
});
export const isRunState: SchemaValidator<Types.RunState> = /* @__PURE__ */ validator({
  file: workflowMembersFile,
  definition: "RunState",
});
export const isStepState: SchemaValidator<Types.StepState> = /* @__PURE__ */ validator({
  file: workflowMembersFile,
  definition: "StepState",
});
export const isStepPath: SchemaValidator<Types.StepPath> = /* @__PURE__ */ validator({
  file: workflowMembersFile,
  definition: "StepPath",
});
export const isRunRevision: SchemaValidator<Types.RunRevision> = /* @__PURE__ */ validator({
  file: workflowMembersFile,
  definition: "RunRevision",
});
export const isRunProblemKind: SchemaValidator<Types.RunProblemKind> = /* @__PURE__ */ validator({
  file: workflowMembersFile,
  definition: "RunProblemKind",
});
export const isPublishEventRequest: SchemaValidator<Types.PublishEventRequest> = /* @__PURE__ */ validator({
  file: workflowPublishEventRequestFile,
  refs: () => ({ "members.schema.json#/$defs/EventName": isEventName }),
});
export const isPublishedEvent: SchemaValidator<Types.PublishedEvent> = /* @__PURE__ */ validator({
  file: workflowPublishedEventFile,
});
export const isWorkflowRecord: SchemaValidator<Types.WorkflowRecord> = /* @__PURE__ */ validator({
  file: workflowRecordFile,
  refs: () => ({
    "members.schema.json#/$defs/WorkflowId": isWorkflowId,
    "members.schema.json#/$defs/WorkflowVersion": isWorkflowVersion,
    "../common.schema.json#/$defs/Timestamp": isTimestamp,
    "definition.schema.json": isWorkflowDefinition,
  }),
});
export const isWorkflowReport: SchemaValidator<Types.WorkflowReport> = /* @__PURE__ */ validator({
  file: workflowReportFile,
  refs: () => ({ "../jsonrpc/param-problem.schema.json": isParamProblem }),
});
export const isWorkflowRunEvent: SchemaValidator<Types.WorkflowRunEvent> = /* @__PURE__ */ validator({
  file: workflowRunEventFile,
  refs: () => ({
    "members.schema.json#/$defs/RunId": isRunId,
    "members.schema.json#/$defs/RunRevision": isRunRevision,
    "../common.schema.json#/$defs/Timestamp": isTimestamp,
    "members.schema.json#/$defs/RunState": isRunState,
    "run-problem.schema.json": isRunProblem,
    "step-record.schema.json": isWorkflowStepRecord,
  }),
});
export const isRunList: SchemaValidator<Types.RunList> = /* @__PURE__ */ validator({
  file: workflowRunListFile,
  refs: () => ({ "run-summary.schema.json": isWorkflowRunSummary }),
});
export const isRunProblem: SchemaValidator<Types.RunProblem> = /* @__PURE__ */ validator({
  file: workflowRunProblemFile,
  refs: () => ({
    "members.schema.json#/$defs/RunProblemKind": isRunProblemKind,
    "members.schema.json#/$defs/StepPath": isStepPath,
    "../bus/agent-error.schema.json": isAgentError,
  }),
});
export const isWorkflowRunSummary: SchemaValidator<Types.WorkflowRunSummary> = /* @__PURE__ */ validator({
  file: workflowRunSummaryFile,
  refs: () => ({
    "members.schema.json#/$defs/RunId": isRunId,
    "members.schema.json#/$defs/WorkflowId": isWorkflowId,
    "members.schema.json#/$defs/WorkflowVersion": isWorkflowVersion,
    "members.schema.json#/$defs/RunState": isRunState,
    "members.schema.json#/$defs/RunRevision": isRunRevision,
    "../common.schema.json#/$defs/CorrelationId": isCorrelationId,
    "run-problem.schema.json": isRunProblem,
    "../common.schema.json#/$defs/Timestamp": isTimestamp,
  }),
});
export const isWorkflowRun: SchemaValidator<Types.WorkflowRun> = /* @__PURE__ */ validator({
  file: workflowRunFile,
  refs: () => ({
    "members.schema.json#/$defs/RunId": isRunId,
    "members.schema.json#/$defs/WorkflowId": isWorkflowId,
    "members.schema.json#/$defs/WorkflowVersion": isWorkflowVersion,
    "members.schema.json#/$defs/RunState": isRunState,
    "members.schema.json#/$defs/RunRevision": isRunRevision,
    "../common.schema.json#/$defs/CorrelationId": isCorrelationId,
    "run-problem.schema.json": isRunProblem,
    "../common.schema.json#/$defs/Timestamp": isTimestamp,
    "definition.schema.json": isWorkflowDefinition,
    "step-record.schema.json": isWorkflowStepRecord,
  }),
});
export const isStartRunRequest: SchemaValidator<Types.StartRunRequest> = /* @__PURE__ */ validator({
  file: workflowStartRunRequestFile,
  refs: () => ({
    "members.schema.json#/$defs/WorkflowId": isWorkflowId,
    "members.schema.json#/$defs/WorkflowVersion": isWorkflowVersion,
    "../common.schema.json#/$defs/CorrelationId": isCorrelationId,
  }),
});
export const isWorkflowStepRecord: SchemaValidator<Types.WorkflowStepRecord> = /* @__PURE__ */ validator({
  file: workflowStepRecordFile,
  refs: () => ({
    "members.schema.json#/$defs/StepPath": isStepPath,
    "members.schema.json#/$defs/StepId": isStepId,
    "members.schema.json#/$defs/StepType": isStepType,
    "members.schema.json#/$defs/StepTitle": isStepTitle,
    "../common.schema.json#/$defs/AgentName": isAgentName,
    "members.schema.json#/$defs/StepState": isStepState,
    "../common.schema.json#/$defs/BusId": isBusId,
    "members.schema.json#/$defs/RunId": isRunId,
    "run-problem.schema.json": isRunProblem,
    "../common.schema.json#/$defs/Timestamp": isTimestamp,
  }),
});
export const isWorkflowStep: SchemaValidator<Types.WorkflowStep> = /* @__PURE__ */ validator({
  file: workflowStepFile,
  refs: () => ({
    "members.schema.json#/$defs/StepId": isStepId,
    "members.schema.json#/$defs/StepTitle": isStepTitle,
    "members.schema.json#/$defs/WorkflowText": isWorkflowText,
    "../common.schema.json#/$defs/AgentName": isAgentName,
    "members.schema.json#/$defs/StepTimeout": isStepTimeout,
    "members.schema.json#/$defs/OnStepError": isOnStepError,
    "members.schema.json#/$defs/NextStep": isNextStep,
    "../input/members.schema.json#/$defs/InputKind": isInputKind,
    "../input/input-option.schema.json": isInputOption,
    "../input/input-schema.schema.json": isInputSchema,
    "../input/members.schema.json#/$defs/InputVisibility": isInputVisibility,
    "members.schema.json#/$defs/WaitTime": isWaitTime,
    "members.schema.json#/$defs/EventName": isEventName,
    "members.schema.json#/$defs/WorkflowId": isWorkflowId,
    "members.schema.json#/$defs/WorkflowVersion": isWorkflowVersion,
    "members.schema.json#/$defs/StepList": isStepList,
    "members.schema.json#/$defs/StepParallelism": isStepParallelism,
    "fork-branch.schema.json": isForkBranch,
  }),
});
export const isWorkflowSummary: SchemaValidator<Types.WorkflowSummary> = /* @__PURE__ */ validator({
  file: workflowSummaryFile,
  refs: () => ({
    "members.schema.json#/$defs/WorkflowId": isWorkflowId,
    "members.schema.json#/$defs/WorkflowVersion": isWorkflowVersion,
    "members.schema.json#/$defs/WorkflowText": isWorkflowText,
    "../common.schema.json#/$defs/Timestamp": isTimestamp,
  }),
});
