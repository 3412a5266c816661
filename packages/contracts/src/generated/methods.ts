/* Generated from schemas/ by dev/scripts/contract/generate.ts. Do not edit; run `pnpm generate`. */
import type { ErrorKind, A2AAgentCardV1, AnswerInputParams, AnswerInputResult, CancelTaskParams, CancelTaskResult, ChangeScheduleParams, ChangeScheduleResult, CheckTokenParams, CheckTokenResult, ClaimInputRequestParams, ExecuteTaskParams, ExecuteTaskResult, GetAgentCardParams, GetAsyncTaskResultParams, GetAsyncTaskResultResult, GetInputRequestParams, GetRunChangeParams, GetRunChangeResult, GetUsageParams, GetUsageResult, InputRequest, ListAgentsParams, ListAgentsResult, ListFiresParams, ListFiresResult, ListInputRequestsParams, ListInputRequestsResult, ListPersonTasksParams, ListPersonTasksResult, ListSchedulesParams, ListSchedulesResult, ReadTaskFileParams, ReadTaskFileResult, ReportMessagesParams, ReportMessagesResult, SaveScheduleParams, SaveScheduleResult, TakeFireParams, TakeFireResult } from "./types.ts";
import { isA2AAgentCardV1, isAnswerInputParams, isAnswerInputResult, isCancelTaskParams, isCancelTaskResult, isChangeScheduleParams, isChangeScheduleResult, isCheckTokenParams, isCheckTokenResult, isClaimInputRequestParams, isExecuteTaskParams, isExecuteTaskResult, isGetAgentCardParams, isGetAsyncTaskResultParams, isGetAsyncTaskResultResult, isGetInputRequestParams, isGetRunChangeParams, isGetRunChangeResult, isGetUsageParams, isGetUsageResult, isInputRequest, isListAgentsParams, isListAgentsResult, isListFiresParams, isListFiresResult, isListInputRequestsParams, isListInputRequestsResult, isListPersonTasksParams, isListPersonTasksResult, isListSchedulesParams, isListSchedulesResult, isReadTaskFileParams, isReadTaskFileResult, isReportMessagesParams, isReportMessagesResult, isSaveScheduleParams, isSaveScheduleResult, isTakeFireParams, isTakeFireResult } from "./validators.ts";
import type { Validator } from "../validator.ts";

/** The methods of the zone link: what each takes and answers. */
export interface ZoneMethods {
  execute_task: { params: ExecuteTaskParams; result: ExecuteTaskResult };
  get_async_task_result: { params: GetAsyncTaskResultParams; result: GetAsyncTaskResultResult };
  get_run_change: { params: GetRunChangeParams; result: GetRunChangeResult };
  cancel_task: { params: CancelTaskParams; result: CancelTaskResult };
  answer_input: { params: AnswerInputParams; result: AnswerInputResult };
  get_input_request: { params: GetInputRequestParams; result: InputRequest };
  claim_input_request: { params: ClaimInputRequestParams; result: InputRequest };
  list_input_requests: { params: ListInputRequestsParams; result: ListInputRequestsResult };
  list_agents: { params: ListAgentsParams; result: ListAgentsResult };
  list_person_tasks: { params: ListPersonTasksParams; result: ListPersonTasksResult };
  read_task_file: { params: ReadTaskFileParams; result: ReadTaskFileResult };
  get_agent_card: { params: GetAgentCardParams; result: A2AAgentCardV1 };
  get_usage: { params: GetUsageParams; result: GetUsageResult };
  check_token: { params: CheckTokenParams; result: CheckTokenResult };
  report_messages: { params: ReportMessagesParams; result: ReportMessagesResult };
  list_fires: { params: ListFiresParams; result: ListFiresResult };
  take_fire: { params: TakeFireParams; result: TakeFireResult };
  list_schedules: { params: ListSchedulesParams; result: ListSchedulesResult };
  save_schedule: { params: SaveScheduleParams; result: SaveScheduleResult };
  change_schedule: { params: ChangeScheduleParams; result: ChangeScheduleResult };
}

/** Version of the zone link: of this package and of its OpenRPC document. */
export const contractVersion = "0.1.0";

/** Validators and declared error kinds of each method. */
export const zoneMethods: {
  readonly [M in keyof ZoneMethods]: {
    readonly params: Validator<ZoneMethods[M]["params"]>;
    readonly result: Validator<ZoneMethods[M]["result"]>;
    readonly errors: readonly ErrorKind[];
  };
} = {
  execute_task: { params: isExecuteTaskParams, result: isExecuteTaskResult, errors: ["invalid_params","unknown_agent","timeout","agent_unavailable","agent_misconfigured","agent_lost_task","agent_lost_answer","agent_failed","agent_invalid_response","rate_limited","canceled","shutting_down","zone_unavailable","internal"] },
  get_async_task_result: { params: isGetAsyncTaskResultParams, result: isGetAsyncTaskResultResult, errors: ["invalid_params","task_not_found","timeout","agent_unavailable","agent_misconfigured","agent_lost_task","agent_lost_answer","agent_failed","agent_invalid_response","canceled","zone_unavailable","internal"] },
  get_run_change: { params: isGetRunChangeParams, result: isGetRunChangeResult, errors: ["invalid_params","task_not_found","zone_unavailable","internal"] },
  cancel_task: { params: isCancelTaskParams, result: isCancelTaskResult, errors: ["invalid_params","task_not_found","invalid_state_transition","zone_unavailable","internal"] },
  answer_input: { params: isAnswerInputParams, result: isAnswerInputResult, errors: ["invalid_params","input_request_not_found","zone_unavailable","internal"] },
  get_input_request: { params: isGetInputRequestParams, result: isInputRequest, errors: ["invalid_params","input_request_not_found","zone_unavailable","internal"] },
  claim_input_request: { params: isClaimInputRequestParams, result: isInputRequest, errors: ["invalid_params","input_request_not_found","agent_unavailable","internal"] },
  list_input_requests: { params: isListInputRequestsParams, result: isListInputRequestsResult, errors: ["invalid_params","zone_unavailable","internal"] },
  list_agents: { params: isListAgentsParams, result: isListAgentsResult, errors: ["invalid_params","zone_unavailable","internal"] },
  list_person_tasks: { params: isListPersonTasksParams, result: isListPersonTasksResult, errors: ["invalid_params","zone_unavailable","internal"] },
  read_task_file: { params: isReadTaskFileParams, result: isReadTaskFileResult, errors: ["invalid_params","task_not_found","zone_unavailable","internal"] },
  get_agent_card: { params: isGetAgentCardParams, result: isA2AAgentCardV1, errors: ["invalid_params","internal"] },
  get_usage: { params: isGetUsageParams, result: isGetUsageResult, errors: ["invalid_params","zone_unavailable","internal"] },
  check_token: { params: isCheckTokenParams, result: isCheckTokenResult, errors: ["invalid_params","unauthorized","zone_unavailable","internal"] },
  report_messages: { params: isReportMessagesParams, result: isReportMessagesResult, errors: ["invalid_params","zone_unavailable","internal"] },
  list_fires: { params: isListFiresParams, result: isListFiresResult, errors: ["invalid_params","zone_unavailable","internal"] },
  take_fire: { params: isTakeFireParams, result: isTakeFireResult, errors: ["invalid_params","zone_unavailable","internal"] },
  list_schedules: { params: isListSchedulesParams, result: isListSchedulesResult, errors: ["invalid_params","zone_unavailable","internal"] },
  save_schedule: { params: isSaveScheduleParams, result: isSaveScheduleResult, errors: ["invalid_params","unknown_agent","zone_unavailable","internal"] },
  change_schedule: { params: isChangeScheduleParams, result: isChangeScheduleResult, errors: ["invalid_params","rate_limited","zone_unavailable","internal"] },
};
