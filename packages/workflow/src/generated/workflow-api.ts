/* Generated from schemas/ by packages/contracts/scripts/generate.ts. Do not edit; run `pnpm generate`. */
import type { OpenApiDocument } from "@crosszone/admin-api";

/** The OpenAPI 3.1 document of the API of workflows and their runs. */
export const workflowApi: OpenApiDocument = {
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
    "/workflows": {
      "get": {
        "operationId": "listWorkflows",
        "summary": "Lists workflows by id, each in its latest version",
        "parameters": [
          {
            "$ref": "#/components/parameters/limit"
          },
          {
            "$ref": "#/components/parameters/offset"
          }
        ],
        "responses": {
          "200": {
            "description": "A page of workflows",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/WorkflowList"
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
      },
      "post": {
        "operationId": "createWorkflowVersion",
        "summary": "Adds a version of a workflow",
        "description": "Stored versions never change. Storing the same content again has no effect. Also accepts the older format of linked plans, whose steps have no `type`.",
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "$ref": "#/components/schemas/WorkflowDefinition"
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "The version already existed with the same content",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/WorkflowRecord"
                }
              }
            },
            "headers": {
              "Location": {
                "description": "URL of the version.",
                "schema": {
                  "type": "string"
                }
              }
            }
          },
          "201": {
            "description": "The version is stored",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/WorkflowRecord"
                }
              }
            },
            "headers": {
              "Location": {
                "description": "URL of the version.",
                "schema": {
                  "type": "string"
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
          "403": {
            "$ref": "#/components/responses/Problem"
          },
          "404": {
            "$ref": "#/components/responses/Problem"
          },
          "409": {
            "$ref": "#/components/responses/Problem"
          },
          "413": {
            "$ref": "#/components/responses/Problem"
          },
          "415": {
            "$ref": "#/components/responses/Problem"
          },
          "422": {
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
    "/workflows/validate": {
      "post": {
        "operationId": "validateWorkflow",
        "summary": "Validates a definition without storing it",
        "description": "Returns all problems at once, including unknown agents.",
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {}
            }
          }
        },
        "responses": {
          "200": {
            "description": "The result of the validation",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/WorkflowReport"
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
          "403": {
            "$ref": "#/components/responses/Problem"
          },
          "404": {
            "$ref": "#/components/responses/Problem"
          },
          "413": {
            "$ref": "#/components/responses/Problem"
          },
          "415": {
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
    "/workflows/{workflow_id}": {
      "parameters": [
        {
          "$ref": "#/components/parameters/workflowId"
        }
      ],
      "get": {
        "operationId": "getWorkflow",
        "summary": "Returns the latest version of a workflow",
        "responses": {
          "200": {
            "description": "The version",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/WorkflowRecord"
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
    "/workflows/{workflow_id}/versions": {
      "parameters": [
        {
          "$ref": "#/components/parameters/workflowId"
        }
      ],
      "get": {
        "operationId": "listWorkflowVersions",
        "summary": "Lists the versions of a workflow, newest first",
        "parameters": [
          {
            "$ref": "#/components/parameters/limit"
          },
          {
            "$ref": "#/components/parameters/offset"
          }
        ],
        "responses": {
          "200": {
            "description": "A page of versions",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/WorkflowList"
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
    "/workflows/{workflow_id}/versions/{version}": {
      "parameters": [
        {
          "$ref": "#/components/parameters/workflowId"
        },
        {
          "$ref": "#/components/parameters/version"
        }
      ],
      "get": {
        "operationId": "getWorkflowVersion",
        "summary": "Returns one version of a workflow",
        "responses": {
          "200": {
            "description": "The version",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/WorkflowRecord"
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
    "/runs": {
      "get": {
        "operationId": "listRuns",
        "summary": "Lists runs, newest first",
        "parameters": [
          {
            "$ref": "#/components/parameters/limit"
          },
          {
            "$ref": "#/components/parameters/offset"
          },
          {
            "name": "workflow_id",
            "in": "query",
            "description": "Only runs of this workflow.",
            "schema": {
              "$ref": "#/components/schemas/WorkflowId"
            }
          },
          {
            "name": "state",
            "in": "query",
            "description": "Only runs in this state.",
            "schema": {
              "$ref": "#/components/schemas/RunState"
            }
          },
          {
            "name": "correlation_id",
            "in": "query",
            "description": "Only runs with this correlation id.",
            "schema": {
              "$ref": "#/components/schemas/CorrelationId"
            }
          },
          {
            "$ref": "#/components/parameters/redact"
          }
        ],
        "responses": {
          "200": {
            "description": "A page of runs",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/RunList"
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
      },
      "post": {
        "operationId": "startRun",
        "summary": "Starts a run of a workflow",
        "parameters": [
          {
            "name": "Idempotency-Key",
            "in": "header",
            "description": "Makes it safe to repeat the request: a repetition returns the run of the first request. Keys belong to one token.",
            "schema": {
              "type": "string",
              "minLength": 1,
              "maxLength": 255
            }
          },
          {
            "name": "traceparent",
            "in": "header",
            "description": "The trace of the run. https://www.w3.org/TR/trace-context",
            "schema": {
              "type": "string"
            }
          }
        ],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "$ref": "#/components/schemas/StartRunRequest"
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "The request is a repetition; this is its run",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/WorkflowRunSummary"
                }
              }
            },
            "headers": {
              "Location": {
                "description": "URL of the run.",
                "schema": {
                  "type": "string"
                }
              }
            }
          },
          "201": {
            "description": "The run is stored and started",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/WorkflowRunSummary"
                }
              }
            },
            "headers": {
              "Location": {
                "description": "URL of the run.",
                "schema": {
                  "type": "string"
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
          "403": {
            "$ref": "#/components/responses/Problem"
          },
          "404": {
            "$ref": "#/components/responses/Problem"
          },
          "413": {
            "$ref": "#/components/responses/Problem"
          },
          "415": {
            "$ref": "#/components/responses/Problem"
          },
          "422": {
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
    "/runs/{run_id}": {
      "parameters": [
        {
          "$ref": "#/components/parameters/runId"
        }
      ],
      "get": {
        "operationId": "getRun",
        "summary": "Returns a run with all of its steps",
        "parameters": [
          {
            "$ref": "#/components/parameters/redact"
          }
        ],
        "responses": {
          "200": {
            "description": "The run",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/WorkflowRun"
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
    "/runs/{run_id}/graph": {
      "parameters": [
        {
          "$ref": "#/components/parameters/runId"
        }
      ],
      "get": {
        "operationId": "getRunGraph",
        "summary": "Returns the graph of a run's steps",
        "responses": {
          "200": {
            "description": "The graph",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/RunGraph"
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
    "/runs/{run_id}/attempts": {
      "parameters": [
        {
          "$ref": "#/components/parameters/runId"
        }
      ],
      "get": {
        "operationId": "listStepAttempts",
        "summary": "Lists the attempts of one step instance, oldest first",
        "parameters": [
          {
            "name": "path",
            "in": "query",
            "required": true,
            "description": "Path of the step instance, as in the run.",
            "schema": {
              "$ref": "#/components/schemas/StepPath"
            }
          },
          {
            "$ref": "#/components/parameters/redact"
          }
        ],
        "responses": {
          "200": {
            "description": "The attempts",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/StepAttempts"
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
    "/runs/{run_id}/events": {
      "parameters": [
        {
          "$ref": "#/components/parameters/runId"
        }
      ],
      "get": {
        "operationId": "watchRun",
        "summary": "Streams the events of a run as server-sent events until the run is final",
        "description": "Each event is named `run` or `step`; its data is a WorkflowRunEvent. Of events that happened together, the last one has an id.",
        "parameters": [
          {
            "name": "Last-Event-ID",
            "in": "header",
            "description": "The last seen id. The stream continues after it. Without it the stream starts with all past events.",
            "schema": {
              "type": "string"
            }
          },
          {
            "$ref": "#/components/parameters/redact"
          }
        ],
        "responses": {
          "200": {
            "description": "The events: https://html.spec.whatwg.org/multipage/server-sent-events.html",
            "content": {
              "text/event-stream": {
                "schema": {
                  "$ref": "#/components/schemas/WorkflowRunEvent"
                }
              }
            }
          },
          "204": {
            "description": "The run is final and has no new events"
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
    "/runs/{run_id}/cancel": {
      "parameters": [
        {
          "$ref": "#/components/parameters/runId"
        }
      ],
      "post": {
        "operationId": "cancelRun",
        "summary": "Cancels a run and its tasks at agents",
        "responses": {
          "200": {
            "description": "The run after the change",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/WorkflowRunSummary"
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
          "403": {
            "$ref": "#/components/responses/Problem"
          },
          "404": {
            "$ref": "#/components/responses/Problem"
          },
          "409": {
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
    "/runs/{run_id}/retry": {
      "parameters": [
        {
          "$ref": "#/components/parameters/runId"
        }
      ],
      "post": {
        "operationId": "retryRun",
        "summary": "Retries a failed run from the failed step",
        "description": "Succeeded steps do not run again. A timed-out run can be retried too.",
        "responses": {
          "200": {
            "description": "The run after the change",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/WorkflowRunSummary"
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
          "403": {
            "$ref": "#/components/responses/Problem"
          },
          "404": {
            "$ref": "#/components/responses/Problem"
          },
          "409": {
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
      "workflowId": {
        "name": "workflow_id",
        "in": "path",
        "required": true,
        "description": "Id of the workflow.",
        "schema": {
          "$ref": "#/components/schemas/WorkflowId"
        }
      },
      "version": {
        "name": "version",
        "in": "path",
        "required": true,
        "description": "Version of the workflow.",
        "schema": {
          "$ref": "#/components/schemas/WorkflowVersion"
        }
      },
      "runId": {
        "name": "run_id",
        "in": "path",
        "required": true,
        "description": "Id of the run.",
        "schema": {
          "$ref": "#/components/schemas/RunId"
        }
      },
      "redact": {
        "name": "redact",
        "in": "query",
        "description": "Redacts and shortens the response for display. It hides probable secrets in inputs, outputs, errors, and the mappings and conditions of a definition, and cuts very long values.",
        "schema": {
          "type": "boolean",
          "default": false
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
      "AgentError": {
        "title": "AgentError",
        "description": "Why an agent task failed. `data` is further data from the agent, any JSON value.",
        "type": "object",
        "required": [
          "kind",
          "message",
          "retryable"
        ],
        "properties": {
          "kind": {
            "$ref": "#/components/schemas/AgentErrorKind"
          },
          "message": {
            "type": "string",
            "minLength": 1,
            "description": "For people. Contains no internal details."
          },
          "retryable": {
            "type": "boolean",
            "description": "Whether the same task can succeed if it is sent again."
          },
          "code": {
            "type": "integer",
            "description": "The agent's JSON-RPC error code, otherwise the HTTP status."
          },
          "data": {}
        }
      },
      "CorrelationId": {
        "title": "CorrelationId",
        "description": "Identifies one Slack message in both zones, their logs, the bus and every agent. Printable ASCII, no spaces.",
        "type": "string",
        "pattern": "^[!-~]{1,128}$",
        "not": {
          "pattern": "\\n"
        }
      },
      "BusId": {
        "title": "BusId",
        "description": "Identifies a run, a task or a correlation on the bus. The sender chooses it, and it can contain any characters. Quote it before you use it in a header or a log line.",
        "type": "string",
        "minLength": 1,
        "maxLength": 255
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
      "StepAttempts": {
        "title": "StepAttempts",
        "description": "All attempts of one step instance, oldest first.",
        "type": "object",
        "required": [
          "run_id",
          "path",
          "attempts"
        ],
        "properties": {
          "run_id": {
            "$ref": "#/components/schemas/RunId"
          },
          "path": {
            "$ref": "#/components/schemas/StepPath"
          },
          "attempts": {
            "type": "array",
            "items": {
              "$ref": "#/components/schemas/WorkflowStepRecord"
            }
          }
        },
        "additionalProperties": false
      },
      "WorkflowDefinition": {
        "title": "WorkflowDefinition",
        "description": "A workflow: steps performed by agents, and their order. `output_mapping` is a template of the run's output, any JSON. Default: the output of the last step.",
        "type": "object",
        "required": [
          "workflow_id",
          "name",
          "version",
          "start_step",
          "steps"
        ],
        "properties": {
          "workflow_id": {
            "$ref": "#/components/schemas/WorkflowId"
          },
          "name": {
            "type": "string",
            "minLength": 1,
            "maxLength": 255,
            "description": "For people."
          },
          "version": {
            "$ref": "#/components/schemas/WorkflowVersion"
          },
          "description": {
            "$ref": "#/components/schemas/WorkflowText"
          },
          "input_schema": {
            "type": "object",
            "description": "JSON Schema 2020-12 of the input. Without it, any input is valid."
          },
          "start_step": {
            "$ref": "#/components/schemas/StepId"
          },
          "steps": {
            "type": "object",
            "minProperties": 1,
            "additionalProperties": {
              "$ref": "#/components/schemas/WorkflowStep"
            },
            "description": "The steps by id."
          },
          "deadline_ms": {
            "type": "integer",
            "minimum": 100,
            "maximum": 604800000,
            "description": "Deadline of a run, milliseconds after its start."
          },
          "side_effects": {
            "type": "boolean",
            "description": "Whether it changes something outside of Crosszone, for example sends a message or pays. A language model can't call it while the conversation holds content that the person did not write. False when absent."
          },
          "output_mapping": {}
        },
        "additionalProperties": false
      },
      "ForkBranch": {
        "title": "ForkBranch",
        "description": "A branch of a fork: a sequence of steps.",
        "type": "object",
        "required": [
          "steps"
        ],
        "properties": {
          "steps": {
            "$ref": "#/components/schemas/StepList"
          },
          "timeout_ms": {
            "$ref": "#/components/schemas/StepTimeout"
          }
        },
        "additionalProperties": false
      },
      "RunGraph": {
        "title": "RunGraph",
        "description": "A run as a graph. Each step of the definition is a node with the combined state of its instances.",
        "type": "object",
        "required": [
          "run_id",
          "revision",
          "state",
          "nodes",
          "edges"
        ],
        "properties": {
          "run_id": {
            "$ref": "#/components/schemas/RunId"
          },
          "revision": {
            "$ref": "#/components/schemas/RunRevision"
          },
          "state": {
            "$ref": "#/components/schemas/RunState"
          },
          "nodes": {
            "type": "array",
            "items": {
              "title": "RunGraphNode",
              "type": "object",
              "required": [
                "id",
                "title",
                "type",
                "state"
              ],
              "properties": {
                "id": {
                  "$ref": "#/components/schemas/StepId"
                },
                "title": {
                  "$ref": "#/components/schemas/StepTitle"
                },
                "type": {
                  "$ref": "#/components/schemas/StepType"
                },
                "agent_name": {
                  "$ref": "#/components/schemas/AgentName"
                },
                "state": {
                  "$ref": "#/components/schemas/StepState"
                },
                "parent": {
                  "$ref": "#/components/schemas/StepId"
                },
                "done": {
                  "type": "integer",
                  "minimum": 0,
                  "description": "For a loop, the number of finished items; inside a loop, the number of finished instances."
                },
                "total": {
                  "type": "integer",
                  "minimum": 0
                }
              },
              "additionalProperties": false
            }
          },
          "edges": {
            "type": "array",
            "items": {
              "title": "RunGraphEdge",
              "type": "object",
              "required": [
                "from",
                "to",
                "kind",
                "is_taken"
              ],
              "properties": {
                "from": {
                  "$ref": "#/components/schemas/StepId"
                },
                "to": {
                  "$ref": "#/components/schemas/StepId"
                },
                "kind": {
                  "enum": [
                    "next",
                    "inside"
                  ],
                  "x-meanings": {
                    "next": "Leads on.",
                    "inside": "Leads from a step to the first of what it is made of."
                  }
                },
                "label": {
                  "type": "string",
                  "description": "The branch of a fork; `true` or `false` for a condition."
                },
                "is_taken": {
                  "type": "boolean",
                  "description": "Whether the run took this edge."
                }
              },
              "additionalProperties": false
            }
          }
        },
        "additionalProperties": false
      },
      "WorkflowList": {
        "title": "WorkflowList",
        "description": "A page of workflows by id, each in its latest version.",
        "type": "object",
        "required": [
          "workflows",
          "total",
          "limit",
          "offset"
        ],
        "properties": {
          "workflows": {
            "type": "array",
            "items": {
              "$ref": "#/components/schemas/WorkflowSummary"
            }
          },
          "total": {
            "type": "integer",
            "minimum": 0,
            "description": "Matches on all pages."
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
      "StepId": {
        "title": "StepId",
        "type": "string",
        "pattern": "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$",
        "not": {
          "pattern": "\\n"
        },
        "description": "Id of a step. Not `workflow`, `steps`, `item` or `index`: references use these words."
      },
      "WorkflowId": {
        "title": "WorkflowId",
        "type": "string",
        "pattern": "^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$",
        "not": {
          "pattern": "\\n"
        },
        "description": "Id of a workflow, chosen by its author. Agents and workflows share one namespace."
      },
      "WorkflowVersion": {
        "title": "WorkflowVersion",
        "type": "string",
        "pattern": "^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$",
        "not": {
          "pattern": "\\n"
        },
        "description": "A version of a workflow. Stored versions never change."
      },
      "StepTitle": {
        "title": "StepTitle",
        "type": "string",
        "minLength": 1,
        "maxLength": 255,
        "description": "Name of the step that people see while it runs. Default: its id."
      },
      "WorkflowText": {
        "title": "WorkflowText",
        "type": "string",
        "maxLength": 4000,
        "description": "For people."
      },
      "StepType": {
        "title": "StepType",
        "enum": [
          "agent",
          "parallel",
          "conditional",
          "loop",
          "fork_join"
        ],
        "description": "What a step does."
      },
      "NextStep": {
        "title": "NextStep",
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 64,
        "description": "The next step; null ends the chain."
      },
      "StepList": {
        "title": "StepList",
        "type": "array",
        "minItems": 1,
        "items": {
          "$ref": "#/components/schemas/StepId"
        },
        "description": "Ids of steps, in order. Their own `next_step` is null, absent or the next of the list."
      },
      "StepParallelism": {
        "title": "StepParallelism",
        "type": "integer",
        "minimum": 1,
        "maximum": 1000,
        "description": "Maximum number that run at the same time. Default: the limit of the run."
      },
      "StepTimeout": {
        "title": "StepTimeout",
        "type": "integer",
        "minimum": 100,
        "maximum": 604800000,
        "description": "Timeout, milliseconds."
      },
      "OnStepError": {
        "title": "OnStepError",
        "enum": [
          "fail",
          "continue"
        ],
        "x-meanings": {
          "fail": "The step fails, and what it belongs to; of a parallel step the others are canceled.",
          "continue": "The run goes on. The step of an agent is recorded as failed, its output is null. A parallel step waits for all of its steps and succeeds; one of them that failed has the output null."
        },
        "description": "What a failure does to the run. Default: `fail`."
      },
      "RunId": {
        "title": "RunId",
        "type": "string",
        "pattern": "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$",
        "not": {
          "pattern": "\\n"
        },
        "description": "Id of a run. Created by execution, not guessable."
      },
      "RunState": {
        "title": "RunState",
        "enum": [
          "pending",
          "running",
          "succeeded",
          "failed",
          "canceled",
          "timed_out"
        ],
        "x-meanings": {
          "pending": "Stored, not started.",
          "running": "At least one step is in progress.",
          "succeeded": "Final: it has its output.",
          "failed": "Final, unless it is retried: `error` has the reason.",
          "canceled": "Final: a person canceled it.",
          "timed_out": "Final: it passed its deadline."
        },
        "description": "State of a run. pending and running are open; the others are final."
      },
      "StepState": {
        "title": "StepState",
        "enum": [
          "pending",
          "running",
          "succeeded",
          "failed",
          "canceled",
          "skipped"
        ],
        "x-meanings": {
          "pending": "Not started yet.",
          "running": "In progress.",
          "succeeded": "It has its output.",
          "failed": "`error` has the reason.",
          "canceled": "Stopped before it ended: the run was canceled, or the step was no longer needed.",
          "skipped": "The run took another branch."
        },
        "description": "State of a step."
      },
      "StepPath": {
        "title": "StepPath",
        "type": "string",
        "minLength": 1,
        "maxLength": 1024,
        "description": "Path of a step instance: the step's id; in a loop with the index of the item and the enclosing ids, e.g. `each[3].ask`."
      },
      "RunRevision": {
        "title": "RunRevision",
        "type": "integer",
        "minimum": 0,
        "description": "Increases by one with each change of the run. Orders its events."
      },
      "RunProblemKind": {
        "title": "RunProblemKind",
        "enum": [
          "agent_failed",
          "step_timed_out",
          "run_timed_out",
          "mapping_failed",
          "condition_failed",
          "collection_invalid",
          "join_failed",
          "step_failed",
          "run_too_large",
          "canceled",
          "internal"
        ],
        "x-meanings": {
          "agent_failed": "The agent failed or did not respond; `agent_error` has its own error.",
          "step_timed_out": "The step passed its deadline.",
          "run_timed_out": "The run passed its deadline.",
          "mapping_failed": "A reference of the step's mapping has no value and no default.",
          "condition_failed": "The condition could not be evaluated, or is neither true nor false.",
          "collection_invalid": "The loop's collection is not an array, or has more items than `max_iterations`.",
          "join_failed": "Too few branches of the fork succeeded.",
          "step_failed": "A step inside it failed.",
          "run_too_large": "With the step's input, its output or its agent's error, the run would exceed the maximum size of a run.",
          "canceled": "A person canceled the run.",
          "internal": "An error in Crosszone. Search the log for the run's correlation id."
        },
        "description": "The kind of a failure of a run or a step."
      },
      "WorkflowRecord": {
        "title": "WorkflowRecord",
        "description": "A stored version of a workflow.",
        "type": "object",
        "required": [
          "workflow_id",
          "version",
          "created_at",
          "definition"
        ],
        "properties": {
          "workflow_id": {
            "$ref": "#/components/schemas/WorkflowId"
          },
          "version": {
            "$ref": "#/components/schemas/WorkflowVersion"
          },
          "created_at": {
            "$ref": "#/components/schemas/Timestamp"
          },
          "definition": {
            "$ref": "#/components/schemas/WorkflowDefinition"
          }
        },
        "additionalProperties": false
      },
      "WorkflowReport": {
        "title": "WorkflowReport",
        "description": "The result of validating a definition.",
        "type": "object",
        "required": [
          "valid",
          "problems"
        ],
        "properties": {
          "valid": {
            "type": "boolean"
          },
          "problems": {
            "type": "array",
            "items": {
              "$ref": "#/components/schemas/ParamProblem"
            },
            "description": "All problems, each with a JSON pointer."
          },
          "warnings": {
            "type": "array",
            "items": {
              "$ref": "#/components/schemas/ParamProblem"
            },
            "description": "What is probably a mistake, such as `{{…}}` instead of `${…}`. A definition with warnings is valid."
          }
        },
        "additionalProperties": false
      },
      "WorkflowRunEvent": {
        "title": "WorkflowRunEvent",
        "description": "A change of a run, as sent to watchers. The last one says that the run is final.",
        "type": "object",
        "discriminator": {
          "propertyName": "type"
        },
        "oneOf": [
          {
            "title": "RunChanged",
            "description": "The state of the run changed. `output` is any JSON.",
            "required": [
              "type",
              "run_id",
              "revision",
              "at",
              "state"
            ],
            "properties": {
              "type": {
                "const": "run"
              },
              "run_id": {
                "$ref": "#/components/schemas/RunId"
              },
              "revision": {
                "$ref": "#/components/schemas/RunRevision"
              },
              "at": {
                "$ref": "#/components/schemas/Timestamp"
              },
              "state": {
                "$ref": "#/components/schemas/RunState"
              },
              "output": {},
              "error": {
                "$ref": "#/components/schemas/RunProblem"
              }
            },
            "additionalProperties": false
          },
          {
            "title": "StepChanged",
            "description": "A step instance was created, or its state changed.",
            "required": [
              "type",
              "run_id",
              "revision",
              "at",
              "step"
            ],
            "properties": {
              "type": {
                "const": "step"
              },
              "run_id": {
                "$ref": "#/components/schemas/RunId"
              },
              "revision": {
                "$ref": "#/components/schemas/RunRevision"
              },
              "at": {
                "$ref": "#/components/schemas/Timestamp"
              },
              "step": {
                "$ref": "#/components/schemas/WorkflowStepRecord"
              }
            },
            "additionalProperties": false
          }
        ]
      },
      "RunList": {
        "title": "RunList",
        "description": "A page of runs, newest first.",
        "type": "object",
        "required": [
          "runs",
          "total",
          "limit",
          "offset"
        ],
        "properties": {
          "runs": {
            "type": "array",
            "items": {
              "$ref": "#/components/schemas/WorkflowRunSummary"
            }
          },
          "total": {
            "type": "integer",
            "minimum": 0,
            "description": "Matches on all pages."
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
      "RunProblem": {
        "title": "RunProblem",
        "description": "Why a run or a step failed.",
        "type": "object",
        "required": [
          "kind",
          "message"
        ],
        "properties": {
          "kind": {
            "$ref": "#/components/schemas/RunProblemKind"
          },
          "message": {
            "type": "string",
            "minLength": 1,
            "description": "For people. Contains no internal details."
          },
          "path": {
            "$ref": "#/components/schemas/StepPath"
          },
          "agent_error": {
            "$ref": "#/components/schemas/AgentError"
          }
        },
        "additionalProperties": false
      },
      "WorkflowRunSummary": {
        "title": "WorkflowRunSummary",
        "description": "A run without its steps.",
        "type": "object",
        "required": [
          "run_id",
          "workflow_id",
          "version",
          "name",
          "state",
          "revision",
          "correlation_id",
          "created_at"
        ],
        "properties": {
          "run_id": {
            "$ref": "#/components/schemas/RunId"
          },
          "workflow_id": {
            "$ref": "#/components/schemas/WorkflowId"
          },
          "version": {
            "$ref": "#/components/schemas/WorkflowVersion"
          },
          "name": {
            "type": "string",
            "minLength": 1
          },
          "state": {
            "$ref": "#/components/schemas/RunState"
          },
          "revision": {
            "$ref": "#/components/schemas/RunRevision"
          },
          "correlation_id": {
            "$ref": "#/components/schemas/CorrelationId"
          },
          "error": {
            "$ref": "#/components/schemas/RunProblem"
          },
          "retryable": {
            "type": "boolean",
            "description": "Of a failed or timed-out run: whether a retry can end differently. It can't if a mapping, a condition or a collection failed."
          },
          "created_at": {
            "$ref": "#/components/schemas/Timestamp"
          },
          "started_at": {
            "$ref": "#/components/schemas/Timestamp"
          },
          "ended_at": {
            "$ref": "#/components/schemas/Timestamp"
          },
          "deadline": {
            "$ref": "#/components/schemas/Timestamp"
          }
        },
        "additionalProperties": false
      },
      "WorkflowRun": {
        "title": "WorkflowRun",
        "description": "A run with all of its steps and the definition it runs, even if the workflow has newer versions. `input` and `output` are any JSON.",
        "type": "object",
        "required": [
          "run_id",
          "workflow_id",
          "version",
          "name",
          "state",
          "revision",
          "correlation_id",
          "created_at",
          "definition",
          "steps"
        ],
        "properties": {
          "run_id": {
            "$ref": "#/components/schemas/RunId"
          },
          "workflow_id": {
            "$ref": "#/components/schemas/WorkflowId"
          },
          "version": {
            "$ref": "#/components/schemas/WorkflowVersion"
          },
          "name": {
            "type": "string",
            "minLength": 1
          },
          "state": {
            "$ref": "#/components/schemas/RunState"
          },
          "revision": {
            "$ref": "#/components/schemas/RunRevision"
          },
          "correlation_id": {
            "$ref": "#/components/schemas/CorrelationId"
          },
          "error": {
            "$ref": "#/components/schemas/RunProblem"
          },
          "retryable": {
            "type": "boolean",
            "description": "Of a failed or timed-out run: whether a retry can end differently. It can't if a mapping, a condition or a collection failed."
          },
          "created_at": {
            "$ref": "#/components/schemas/Timestamp"
          },
          "started_at": {
            "$ref": "#/components/schemas/Timestamp"
          },
          "ended_at": {
            "$ref": "#/components/schemas/Timestamp"
          },
          "deadline": {
            "$ref": "#/components/schemas/Timestamp"
          },
          "input": {},
          "output": {},
          "definition": {
            "$ref": "#/components/schemas/WorkflowDefinition"
          },
          "steps": {
            "type": "array",
            "items": {
              "$ref": "#/components/schemas/WorkflowStepRecord"
            }
          }
        },
        "additionalProperties": false
      },
      "StartRunRequest": {
        "title": "StartRunRequest",
        "description": "Starts a run of the latest version, or of the named one. `input` is the value of `${workflow.input}`, any JSON. Default: `{}`. The header `Idempotency-Key` makes it safe to repeat the request.",
        "type": "object",
        "required": [
          "workflow_id"
        ],
        "properties": {
          "workflow_id": {
            "$ref": "#/components/schemas/WorkflowId"
          },
          "version": {
            "$ref": "#/components/schemas/WorkflowVersion"
          },
          "input": {},
          "deadline_ms": {
            "type": "integer",
            "minimum": 100,
            "maximum": 604800000,
            "description": "Shortens the definition's own timeout."
          },
          "correlation_id": {
            "$ref": "#/components/schemas/CorrelationId"
          }
        },
        "additionalProperties": false
      },
      "WorkflowStepRecord": {
        "title": "WorkflowStepRecord",
        "description": "The latest attempt of one step instance. `input` is what the agent received and `output` what it returned, any JSON.",
        "type": "object",
        "required": [
          "path",
          "step_id",
          "type",
          "state",
          "attempt"
        ],
        "properties": {
          "path": {
            "$ref": "#/components/schemas/StepPath"
          },
          "step_id": {
            "$ref": "#/components/schemas/StepId"
          },
          "type": {
            "$ref": "#/components/schemas/StepType"
          },
          "title": {
            "$ref": "#/components/schemas/StepTitle"
          },
          "agent_name": {
            "$ref": "#/components/schemas/AgentName"
          },
          "state": {
            "$ref": "#/components/schemas/StepState"
          },
          "attempt": {
            "type": "integer",
            "minimum": 0,
            "description": "0 before the first attempt."
          },
          "task_id": {
            "$ref": "#/components/schemas/BusId"
          },
          "input": {},
          "output": {},
          "error": {
            "$ref": "#/components/schemas/RunProblem"
          },
          "started_at": {
            "$ref": "#/components/schemas/Timestamp"
          },
          "ended_at": {
            "$ref": "#/components/schemas/Timestamp"
          }
        },
        "additionalProperties": false
      },
      "WorkflowStep": {
        "title": "WorkflowStep",
        "description": "A step of a workflow. In the older format, a step without `type` is an agent step.",
        "type": "object",
        "discriminator": {
          "propertyName": "type"
        },
        "oneOf": [
          {
            "title": "AgentStep",
            "description": "Sends one task to one agent. `input_mapping` is a template of its input, any JSON: `${workflow.input.a.b[0]}`, `${step.output.x}`, `${item}`, `${index}`, with a default `${step.output.x ?? \"none\"}`. A string that consists of one reference keeps the type of the referenced value. `$${` escapes `${`. The output is the agent's answer.",
            "required": [
              "id",
              "type",
              "agent_name",
              "input_mapping"
            ],
            "properties": {
              "id": {
                "$ref": "#/components/schemas/StepId"
              },
              "type": {
                "const": "agent"
              },
              "title": {
                "$ref": "#/components/schemas/StepTitle"
              },
              "description": {
                "$ref": "#/components/schemas/WorkflowText"
              },
              "agent_name": {
                "$ref": "#/components/schemas/AgentName"
              },
              "input_mapping": {},
              "timeout_ms": {
                "$ref": "#/components/schemas/StepTimeout"
              },
              "on_error": {
                "$ref": "#/components/schemas/OnStepError"
              },
              "next_step": {
                "$ref": "#/components/schemas/NextStep"
              }
            },
            "additionalProperties": false
          },
          {
            "title": "ParallelStep",
            "description": "Runs steps in parallel. Its output is an object: step id to output.",
            "required": [
              "id",
              "type",
              "parallel_steps"
            ],
            "properties": {
              "id": {
                "$ref": "#/components/schemas/StepId"
              },
              "type": {
                "const": "parallel"
              },
              "title": {
                "$ref": "#/components/schemas/StepTitle"
              },
              "description": {
                "$ref": "#/components/schemas/WorkflowText"
              },
              "parallel_steps": {
                "$ref": "#/components/schemas/StepList"
              },
              "max_parallelism": {
                "$ref": "#/components/schemas/StepParallelism"
              },
              "on_error": {
                "$ref": "#/components/schemas/OnStepError"
              },
              "next_step": {
                "$ref": "#/components/schemas/NextStep"
              }
            },
            "additionalProperties": false
          },
          {
            "title": "ConditionalStep",
            "description": "Runs one of two branches to its end. Its output is the output of the last step in the branch, or null if the branch is empty.",
            "required": [
              "id",
              "type",
              "condition"
            ],
            "properties": {
              "id": {
                "$ref": "#/components/schemas/StepId"
              },
              "type": {
                "const": "conditional"
              },
              "title": {
                "$ref": "#/components/schemas/StepTitle"
              },
              "description": {
                "$ref": "#/components/schemas/WorkflowText"
              },
              "condition": {
                "title": "StepCondition",
                "description": "The condition.",
                "type": "object",
                "required": [
                  "expression"
                ],
                "properties": {
                  "expression": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 4000,
                    "description": "CEL, true or false, over `workflow.input`, `steps.<id>.output`, `item` and `index`. `${…}` is a reference. https://cel.dev"
                  }
                },
                "additionalProperties": false
              },
              "if_true_step": {
                "$ref": "#/components/schemas/NextStep"
              },
              "if_false_step": {
                "$ref": "#/components/schemas/NextStep"
              },
              "next_step": {
                "$ref": "#/components/schemas/NextStep"
              }
            },
            "additionalProperties": false
          },
          {
            "title": "LoopStep",
            "description": "Runs its body once for each item of an array. Its output is an array: for each item, the output of the last step in the body.",
            "required": [
              "id",
              "type",
              "loop_config"
            ],
            "properties": {
              "id": {
                "$ref": "#/components/schemas/StepId"
              },
              "type": {
                "const": "loop"
              },
              "title": {
                "$ref": "#/components/schemas/StepTitle"
              },
              "description": {
                "$ref": "#/components/schemas/WorkflowText"
              },
              "loop_config": {
                "title": "LoopConfig",
                "description": "The items, the mode and the body.",
                "type": "object",
                "required": [
                  "collection",
                  "loop_body"
                ],
                "properties": {
                  "collection": {
                    "type": [
                      "string",
                      "array"
                    ],
                    "description": "One reference to an array, or an array of templates."
                  },
                  "iterator_variable": {
                    "type": "string",
                    "pattern": "^[A-Za-z][A-Za-z0-9_]{0,63}$",
                    "not": {
                      "pattern": "\\n"
                    },
                    "description": "A second name for `item`, for nested loops."
                  },
                  "loop_body": {
                    "$ref": "#/components/schemas/StepList"
                  },
                  "execution_mode": {
                    "enum": [
                      "sequential",
                      "parallel"
                    ],
                    "description": "Default: `sequential`."
                  },
                  "max_parallelism": {
                    "$ref": "#/components/schemas/StepParallelism"
                  },
                  "max_iterations": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": 10000,
                    "description": "A longer array fails the step. Default: 1000."
                  },
                  "on_error": {
                    "enum": [
                      "stop",
                      "continue",
                      "collect"
                    ],
                    "description": "Default: `stop`.",
                    "x-meanings": {
                      "stop": "The first failure fails the loop.",
                      "continue": "A failed item has the output null.",
                      "collect": "All items run; a failed one has the output `{\"error\": RunProblem}`."
                    }
                  }
                },
                "additionalProperties": false
              },
              "next_step": {
                "$ref": "#/components/schemas/NextStep"
              }
            },
            "additionalProperties": false
          },
          {
            "title": "ForkJoinStep",
            "description": "Runs branches in parallel until enough of them have succeeded, then cancels the others. Its output is an object: name of each succeeded branch to the output of its last step.",
            "required": [
              "id",
              "type",
              "fork_join_config"
            ],
            "properties": {
              "id": {
                "$ref": "#/components/schemas/StepId"
              },
              "type": {
                "const": "fork_join"
              },
              "title": {
                "$ref": "#/components/schemas/StepTitle"
              },
              "description": {
                "$ref": "#/components/schemas/WorkflowText"
              },
              "fork_join_config": {
                "title": "ForkJoinConfig",
                "description": "The branches and the condition to join.",
                "type": "object",
                "required": [
                  "branches",
                  "join_policy"
                ],
                "properties": {
                  "branches": {
                    "type": "object",
                    "minProperties": 1,
                    "propertyNames": {
                      "$ref": "#/components/schemas/StepId"
                    },
                    "additionalProperties": {
                      "$ref": "#/components/schemas/ForkBranch"
                    },
                    "description": "By name."
                  },
                  "join_policy": {
                    "enum": [
                      "all",
                      "any",
                      "majority",
                      "n_of_m"
                    ],
                    "description": "How many branches must succeed."
                  },
                  "n_required": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": 1000,
                    "description": "Required for `n_of_m`."
                  },
                  "branch_timeout_ms": {
                    "$ref": "#/components/schemas/StepTimeout"
                  }
                },
                "additionalProperties": false
              },
              "next_step": {
                "$ref": "#/components/schemas/NextStep"
              }
            },
            "additionalProperties": false
          }
        ]
      },
      "WorkflowSummary": {
        "title": "WorkflowSummary",
        "description": "A version of a workflow, without its steps.",
        "type": "object",
        "required": [
          "workflow_id",
          "version",
          "name",
          "created_at"
        ],
        "properties": {
          "workflow_id": {
            "$ref": "#/components/schemas/WorkflowId"
          },
          "version": {
            "$ref": "#/components/schemas/WorkflowVersion"
          },
          "name": {
            "type": "string",
            "minLength": 1
          },
          "description": {
            "$ref": "#/components/schemas/WorkflowText"
          },
          "created_at": {
            "$ref": "#/components/schemas/Timestamp"
          }
        },
        "additionalProperties": false
      }
    }
  }
};
