/* Generated from schemas/ by packages/contracts/scripts/generate.ts. Do not edit; run `pnpm generate`. */
import type { OpenApiDocument } from "@crosszone/admin-api";

/** The OpenAPI 3.1 document of the API of tasks. */
export const taskApi: OpenApiDocument = {
  "openapi": "3.1.1",
  "servers": [
    {
      "url": "/api/v1"
    }
  ],
  "security": [
    {
      "adminToken": []
    }
  ],
  "info": {
    "title": "Crosszone execution API",
    "description": "The API for admins of the execution zone: agents, MCP servers, tasks, usage of language models, workflows and their runs. Every error is a problem of RFC 9457.",
    "license": {
      "name": "Apache-2.0",
      "identifier": "Apache-2.0"
    },
    "version": "0.1.0"
  },
  "paths": {
    "/tasks": {
      "get": {
        "operationId": "listTasks",
        "summary": "Lists tasks, newest first",
        "parameters": [
          {
            "$ref": "#/components/parameters/limit"
          },
          {
            "$ref": "#/components/parameters/offset"
          },
          {
            "name": "state",
            "in": "query",
            "description": "Only tasks in this state.",
            "schema": {
              "$ref": "#/components/schemas/TaskState"
            }
          },
          {
            "name": "agent",
            "in": "query",
            "description": "Only tasks of this agent or workflow.",
            "schema": {
              "$ref": "#/components/schemas/AgentName"
            }
          },
          {
            "name": "correlation_id",
            "in": "query",
            "description": "Only tasks with this correlation id, the reference that Slack shows.",
            "schema": {
              "$ref": "#/components/schemas/CorrelationId"
            }
          }
        ],
        "responses": {
          "200": {
            "description": "A page of tasks",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/TaskList"
                }
              }
            }
          },
          "400": {
            "$ref": "#/components/responses/Problem"
          },
          "401": {
            "$ref": "#/components/responses/Problem"
          },
          "404": {
            "$ref": "#/components/responses/Problem"
          },
          "429": {
            "$ref": "#/components/responses/Problem"
          },
          "500": {
            "$ref": "#/components/responses/Problem"
          },
          "503": {
            "$ref": "#/components/responses/Problem"
          }
        }
      }
    },
    "/tasks/{task_id}": {
      "parameters": [
        {
          "$ref": "#/components/parameters/taskId"
        }
      ],
      "get": {
        "operationId": "getTask",
        "summary": "Shows one task with its agent calls",
        "responses": {
          "200": {
            "description": "The task",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/TaskRecord"
                }
              }
            }
          },
          "400": {
            "$ref": "#/components/responses/Problem"
          },
          "401": {
            "$ref": "#/components/responses/Problem"
          },
          "404": {
            "$ref": "#/components/responses/Problem"
          },
          "429": {
            "$ref": "#/components/responses/Problem"
          },
          "500": {
            "$ref": "#/components/responses/Problem"
          },
          "503": {
            "$ref": "#/components/responses/Problem"
          }
        }
      }
    }
  },
  "components": {
    "securitySchemes": {
      "adminToken": {
        "type": "http",
        "scheme": "bearer",
        "description": "One of AGENT_ADMIN_TOKENS, or for GET one of AGENT_VIEW_TOKENS. Without any configured token, the API is off and every response is 404."
      }
    },
    "parameters": {
      "limit": {
        "name": "limit",
        "in": "query",
        "schema": {
          "type": "integer",
          "minimum": 1,
          "maximum": 200,
          "default": 50
        }
      },
      "offset": {
        "name": "offset",
        "in": "query",
        "schema": {
          "type": "integer",
          "minimum": 0,
          "maximum": 999999999,
          "default": 0
        }
      },
      "taskId": {
        "name": "task_id",
        "in": "path",
        "required": true,
        "schema": {
          "$ref": "#/components/schemas/TaskId"
        }
      }
    },
    "responses": {
      "Problem": {
        "description": "Why the request was refused",
        "content": {
          "application/problem+json": {
            "schema": {
              "$ref": "#/components/schemas/Problem"
            }
          }
        }
      }
    },
    "schemas": {
      "CorrelationId": {
        "title": "CorrelationId",
        "description": "Identifies one Slack message in both zones, their logs, the bus and every agent. Printable ASCII, no spaces.",
        "type": "string",
        "pattern": "^[!-~]{1,128}$",
        "not": {
          "pattern": "\\n"
        }
      },
      "TaskId": {
        "title": "TaskId",
        "description": "Identifies a task of the execution zone. Created by execution, not guessable.",
        "type": "string",
        "minLength": 1,
        "maxLength": 128
      },
      "ErrorKind": {
        "title": "ErrorKind",
        "description": "The kind of an error. Each kind has one row in the error catalog (errors.json).",
        "enum": [
          "parse_error",
          "invalid_request",
          "method_not_found",
          "invalid_params",
          "internal",
          "timeout",
          "task_not_found",
          "unknown_agent",
          "invalid_state_transition",
          "agent_unavailable",
          "agent_failed",
          "agent_invalid_response",
          "rate_limited",
          "unauthorized",
          "payload_too_large",
          "canceled",
          "shutting_down",
          "agent_misconfigured",
          "agent_lost_task",
          "agent_lost_answer"
        ]
      },
      "TaskState": {
        "title": "TaskState",
        "description": "State of a task in the execution zone. submitted and working are open; all other states are final.",
        "enum": [
          "submitted",
          "working",
          "success",
          "error",
          "canceled",
          "timed_out"
        ],
        "x-meanings": {
          "submitted": "Stored, not started. Asking for its result answers `working`.",
          "working": "An agent works on it. Asking for its result answers `working`.",
          "success": "Final: the agent answered. The result has `status` `success`.",
          "error": "Final: it failed. Asking for its result answers the error it ended with.",
          "canceled": "Final: stopped by `cancel_task`. Asking for its result answers the error `canceled`.",
          "timed_out": "Final: it passed its deadline. Asking for its result answers the error `timeout`."
        }
      },
      "Timestamp": {
        "title": "Timestamp",
        "description": "A time, RFC 3339. Without an offset it is UTC.",
        "type": "string",
        "pattern": "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$",
        "not": {
          "pattern": "\\n"
        }
      },
      "AgentName": {
        "title": "AgentName",
        "description": "Name of an agent in the registry. 1 to 255 characters, no control characters.",
        "type": "string",
        "pattern": "^[^\\x00-\\x1f\\x7f-\\x9f]{1,255}$",
        "not": {
          "pattern": "\\n"
        }
      },
      "AgentErrorKind": {
        "title": "AgentErrorKind",
        "description": "The kind of an agent error. Each kind has one row in the catalog of agent errors (agent-errors.json).",
        "enum": [
          "invalid_task",
          "unknown_agent",
          "agent_disabled",
          "protocol_unsupported",
          "address_refused",
          "redirect_refused",
          "secret_unavailable",
          "unreachable",
          "call_timeout",
          "deadline_exceeded",
          "http_error",
          "http_unavailable",
          "rate_limited",
          "unauthorized",
          "response_too_large",
          "not_json",
          "invalid_envelope",
          "invalid_response",
          "rpc_error",
          "rpc_unavailable",
          "task_failed",
          "task_canceled",
          "task_rejected",
          "task_state_unknown",
          "task_lost",
          "answer_lost",
          "input_required",
          "auth_required",
          "circuit_open",
          "canceled",
          "internal"
        ]
      },
      "ParamProblem": {
        "title": "ParamProblem",
        "description": "One problem of a value, and its position.",
        "type": "object",
        "required": [
          "pointer",
          "message"
        ],
        "properties": {
          "pointer": {
            "type": "string",
            "description": "RFC 6901 pointer, e.g. /channel."
          },
          "message": {
            "type": "string"
          }
        },
        "additionalProperties": false
      },
      "Problem": {
        "title": "Problem",
        "description": "Why a request to the API failed. RFC 9457.",
        "type": "object",
        "required": [
          "type",
          "title",
          "status"
        ],
        "properties": {
          "type": {
            "type": "string",
            "description": "A URI that names the kind of problem."
          },
          "title": {
            "type": "string",
            "minLength": 1,
            "description": "The same for every problem of this kind."
          },
          "status": {
            "type": "integer",
            "minimum": 400,
            "maximum": 599,
            "description": "The HTTP status."
          },
          "detail": {
            "type": "string",
            "description": "What is wrong with this request."
          },
          "instance": {
            "type": "string",
            "description": "A URI that names this occurrence."
          },
          "correlation_id": {
            "$ref": "#/components/schemas/CorrelationId"
          },
          "problems": {
            "type": "array",
            "description": "The problems of the body, each with a JSON pointer.",
            "items": {
              "$ref": "#/components/schemas/ParamProblem"
            }
          }
        }
      },
      "AgentCall": {
        "title": "AgentCall",
        "description": "One task sent to one registered agent.",
        "type": "object",
        "required": [
          "agent",
          "state",
          "created_at",
          "deadline"
        ],
        "properties": {
          "agent": {
            "type": "string",
            "description": "Empty when the call was canceled before it was stored."
          },
          "state": {
            "enum": [
              "open",
              "succeeded",
              "failed",
              "canceled"
            ],
            "x-meanings": {
              "open": "The call waits for the agent, or the agent works on it.",
              "succeeded": "Final: the agent answered.",
              "failed": "Final: `error_kind` says why.",
              "canceled": "Final: stopped before the agent answered."
            }
          },
          "attempts": {
            "type": "integer",
            "minimum": 0,
            "description": "Number of calls to the agent. Present when the call has ended."
          },
          "remote_id": {
            "type": "string",
            "description": "The agent's own id of the task. Present while the call is open, unless it is sealed."
          },
          "progress": {
            "type": "string",
            "description": "The agent's latest progress message. Present while the call is open, unless it is sealed. Untrusted text."
          },
          "error_kind": {
            "$ref": "#/components/schemas/AgentErrorKind"
          },
          "error_message": {
            "type": "string",
            "description": "Why the zone could not get an answer from the agent. Never the agent's own words. Present for a failed connection, timeout or rejected address, unless it is sealed."
          },
          "created_at": {
            "$ref": "#/components/schemas/Timestamp"
          },
          "deadline": {
            "$ref": "#/components/schemas/Timestamp"
          },
          "ended_at": {
            "$ref": "#/components/schemas/Timestamp"
          }
        },
        "additionalProperties": false
      },
      "TaskFailure": {
        "title": "TaskFailure",
        "description": "Why a task has no answer: the row of the error catalog, without the agent's own message.",
        "type": "object",
        "required": [
          "kind",
          "code",
          "message"
        ],
        "properties": {
          "kind": {
            "$ref": "#/components/schemas/ErrorKind"
          },
          "code": {
            "type": "integer",
            "description": "The JSON-RPC error code on the zone link."
          },
          "message": {
            "type": "string",
            "minLength": 1,
            "description": "The title of the error kind; the same for every task."
          },
          "detail": {
            "type": "string",
            "minLength": 1,
            "description": "More for operators, without secrets and content. For a failed model call: the model, the error with its HTTP status, attempts and tokens."
          }
        },
        "additionalProperties": false
      },
      "TaskList": {
        "title": "TaskList",
        "description": "A page of tasks, newest first.",
        "type": "object",
        "required": [
          "tasks",
          "total",
          "limit",
          "offset"
        ],
        "properties": {
          "tasks": {
            "type": "array",
            "items": {
              "$ref": "#/components/schemas/TaskRecord"
            }
          },
          "total": {
            "type": "integer",
            "minimum": 0,
            "description": "Tasks that match the query, on all pages."
          },
          "limit": {
            "type": "integer",
            "minimum": 1
          },
          "offset": {
            "type": "integer",
            "minimum": 0
          }
        },
        "additionalProperties": false
      },
      "TaskRecord": {
        "title": "TaskRecord",
        "description": "A task as operators see it: everything except the question and the answer.",
        "type": "object",
        "required": [
          "task_id",
          "state",
          "caller",
          "agent",
          "correlation_id",
          "attempts",
          "created_at",
          "deadline"
        ],
        "properties": {
          "task_id": {
            "$ref": "#/components/schemas/TaskId"
          },
          "state": {
            "$ref": "#/components/schemas/TaskState"
          },
          "caller": {
            "type": "string",
            "minLength": 1,
            "description": "The authenticated client of the zone link."
          },
          "agent": {
            "type": "string",
            "minLength": 1,
            "description": "The agent or workflow that runs the task."
          },
          "correlation_id": {
            "$ref": "#/components/schemas/CorrelationId"
          },
          "attempts": {
            "type": "integer",
            "minimum": 0,
            "description": "How many processes have run the task. Above 1, a process crashed or lost the database."
          },
          "error": {
            "$ref": "#/components/schemas/TaskFailure"
          },
          "created_at": {
            "$ref": "#/components/schemas/Timestamp"
          },
          "deadline": {
            "$ref": "#/components/schemas/Timestamp"
          },
          "ended_at": {
            "$ref": "#/components/schemas/Timestamp"
          },
          "team": {
            "type": "string",
            "minLength": 1,
            "description": "Digest of the Slack team; the same for all tasks of one team."
          },
          "team_id": {
            "type": "string",
            "description": "The Slack team. Present for one task, while it is open and not sealed."
          },
          "channel": {
            "type": "string",
            "description": "The Slack channel. Present for one task, while it is open and not sealed."
          },
          "user_id": {
            "type": "string",
            "description": "The requester. Present for one task, while it is open and not sealed."
          },
          "run_id": {
            "$ref": "#/components/schemas/RunId",
            "description": "The workflow run of the task. Present for one task."
          },
          "agent_calls": {
            "type": "array",
            "items": {
              "$ref": "#/components/schemas/AgentCall"
            },
            "description": "Calls of registered agents. Present for one task; empty when the agent runs within the zone."
          }
        },
        "additionalProperties": false
      },
      "RunId": {
        "title": "RunId",
        "type": "string",
        "pattern": "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$",
        "not": {
          "pattern": "\\n"
        },
        "description": "Id of a run. Created by execution, not guessable."
      }
    }
  }
};
