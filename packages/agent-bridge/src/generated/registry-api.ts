/* Generated from schemas/ by packages/contracts/scripts/generate.ts. Do not edit; run `pnpm generate`. */
import type { OpenApiDocument } from "@crosszone/admin-api";

/** The OpenAPI 3.1 document of the registry's API. */
export const registryApi: OpenApiDocument = {
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
    "/agents": {
      "get": {
        "operationId": "listAgents",
        "summary": "Lists agents by name",
        "parameters": [
          {
            "$ref": "#/components/parameters/limit"
          },
          {
            "$ref": "#/components/parameters/offset"
          },
          {
            "name": "protocol",
            "in": "query",
            "description": "Only agents of this protocol.",
            "schema": {
              "type": "string"
            }
          },
          {
            "name": "enabled",
            "in": "query",
            "description": "Only agents that are disabled (true) or enabled (false).",
            "schema": {
              "type": "boolean"
            }
          },
          {
            "name": "q",
            "in": "query",
            "description": "Only agents whose name or description contains this text.",
            "schema": {
              "type": "string"
            }
          }
        ],
        "responses": {
          "200": {
            "description": "A page of agents",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/AgentList"
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
        "operationId": "createAgent",
        "summary": "Adds an agent",
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "$ref": "#/components/schemas/AgentSettings"
              }
            }
          }
        },
        "responses": {
          "201": {
            "description": "The agent, with every default filled in",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/AgentRecord"
                }
              }
            },
            "headers": {
              "ETag": {
                "$ref": "#/components/headers/ETag"
              },
              "Location": {
                "description": "URL of the agent.",
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
    "/agent-tests": {
      "post": {
        "operationId": "testAgent",
        "summary": "Fetches an agent's card, asks it a question, and shows the exchange",
        "description": "Tests a registered agent, even a disabled one, or an agent at a URL. Waits for the agent, at most one minute. Nothing is stored.",
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "$ref": "#/components/schemas/AgentTestRequest"
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "The result of the test, even if the agent failed",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/AgentTest"
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
    "/agent-migrations": {
      "post": {
        "operationId": "migrateAgents",
        "summary": "Moves agents to another protocol, all or none",
        "description": "Checks the agents first, several at once. If one fails a check of level `must`, no agent is moved, and the answer names every failing agent with its failed checks. Otherwise all are moved in one transaction, and the protocol, protocol_config and URL of each are kept for a rollback. Checks send questions to the agents. Agents of AGENTS_FILE are named, but not moved.",
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "$ref": "#/components/schemas/AgentMigrationRequest"
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "The result, even if the migration was refused",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/AgentMigration"
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
    "/agent-migrations/rollback": {
      "post": {
        "operationId": "rollBackMigration",
        "summary": "Undoes the last migration",
        "description": "Restores the agents of the last migration, and the default protocol if it was moved, in one transaction. Agents that were changed or deleted since are named, but not changed. Running tasks end the way they began.",
        "responses": {
          "200": {
            "description": "The restored agents",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/AgentMigration"
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
    "/agents/{name}": {
      "parameters": [
        {
          "$ref": "#/components/parameters/name"
        }
      ],
      "get": {
        "operationId": "getAgent",
        "summary": "Returns one agent",
        "responses": {
          "200": {
            "description": "The agent",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/AgentRecord"
                }
              }
            },
            "headers": {
              "ETag": {
                "$ref": "#/components/headers/ETag"
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
      },
      "patch": {
        "operationId": "changeAgent",
        "summary": "Changes an agent by a JSON merge patch, RFC 7396",
        "description": "`null` resets a member to its default. The name can't be changed. An enabled agent is moved to another protocol, or gets a canary with another protocol, only if it passes the protocol's conformance checks (409 otherwise); a change to `auto` or back to the protocol before needs no check. `\"canary\": null` ends a canary.",
        "parameters": [
          {
            "$ref": "#/components/parameters/ifMatch"
          }
        ],
        "requestBody": {
          "required": true,
          "content": {
            "application/merge-patch+json": {
              "schema": {
                "type": "object"
              }
            },
            "application/json": {
              "schema": {
                "type": "object"
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "The agent after the change",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/AgentRecord"
                }
              }
            },
            "headers": {
              "ETag": {
                "$ref": "#/components/headers/ETag"
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
          "412": {
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
      },
      "delete": {
        "operationId": "deleteAgent",
        "summary": "Removes an agent",
        "parameters": [
          {
            "$ref": "#/components/parameters/ifMatch"
          }
        ],
        "responses": {
          "204": {
            "description": "The agent is removed"
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
          "412": {
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
    "/agents/{name}/disable": {
      "parameters": [
        {
          "$ref": "#/components/parameters/name"
        }
      ],
      "post": {
        "operationId": "disableAgent",
        "summary": "Disables an agent: it gets no more tasks",
        "parameters": [
          {
            "$ref": "#/components/parameters/ifMatch"
          }
        ],
        "responses": {
          "200": {
            "description": "The agent after the change",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/AgentRecord"
                }
              }
            },
            "headers": {
              "ETag": {
                "$ref": "#/components/headers/ETag"
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
          "412": {
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
    "/agents/{name}/enable": {
      "parameters": [
        {
          "$ref": "#/components/parameters/name"
        }
      ],
      "post": {
        "operationId": "enableAgent",
        "summary": "Enables an agent",
        "parameters": [
          {
            "$ref": "#/components/parameters/ifMatch"
          }
        ],
        "responses": {
          "200": {
            "description": "The agent after the change",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/AgentRecord"
                }
              }
            },
            "headers": {
              "ETag": {
                "$ref": "#/components/headers/ETag"
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
          "412": {
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
    "/agents/{name}/health": {
      "parameters": [
        {
          "$ref": "#/components/parameters/name"
        }
      ],
      "post": {
        "operationId": "checkAgent",
        "summary": "Probes an agent: fetches its agent card",
        "responses": {
          "200": {
            "description": "The result of the probe, also when the agent is not healthy",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/AgentHealth"
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
    "/agents/{name}/conformance": {
      "parameters": [
        {
          "$ref": "#/components/parameters/name"
        }
      ],
      "post": {
        "operationId": "checkAgentConformance",
        "summary": "Checks whether an agent complies with its protocol",
        "description": "Sends questions to the agent. Takes at most 30 seconds.",
        "parameters": [
          {
            "name": "protocol",
            "in": "query",
            "description": "The protocol to check, such as the one to move the agent to. Default: the agent's protocol.",
            "schema": {
              "type": "string"
            }
          }
        ],
        "responses": {
          "200": {
            "description": "The report, even if the agent does not comply",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/ConformanceReport"
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
    "/agents/{name}/rollback": {
      "parameters": [
        {
          "$ref": "#/components/parameters/name"
        }
      ],
      "post": {
        "operationId": "rollBackAgent",
        "summary": "Restores the protocol and URL that an agent had before",
        "description": "Needs no conformance check. Ends a canary. Running tasks end the way they began.",
        "parameters": [
          {
            "$ref": "#/components/parameters/ifMatch"
          }
        ],
        "responses": {
          "200": {
            "description": "The agent after the change",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/AgentRecord"
                }
              }
            },
            "headers": {
              "ETag": {
                "$ref": "#/components/headers/ETag"
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
          "412": {
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
    "/agents/{name}/canary/promote": {
      "parameters": [
        {
          "$ref": "#/components/parameters/name"
        }
      ],
      "post": {
        "operationId": "promoteCanary",
        "summary": "Makes a canary's protocol and URL those of the agent",
        "description": "Checks the canary's conformance first. The former protocol and URL are kept for a rollback.",
        "parameters": [
          {
            "$ref": "#/components/parameters/ifMatch"
          }
        ],
        "responses": {
          "200": {
            "description": "The agent after the change",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/AgentRecord"
                }
              }
            },
            "headers": {
              "ETag": {
                "$ref": "#/components/headers/ETag"
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
          "412": {
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
    "/agents/{name}/audit": {
      "parameters": [
        {
          "$ref": "#/components/parameters/name"
        }
      ],
      "get": {
        "operationId": "listAudit",
        "summary": "Lists the changes of an agent, newest first",
        "description": "Also works for a removed agent.",
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
            "description": "A page of changes",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/AgentAuditList"
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
      "name": {
        "name": "name",
        "in": "path",
        "required": true,
        "description": "Percent-encoded with `encodeURIComponent`.",
        "schema": {
          "$ref": "#/components/schemas/AgentName"
        }
      },
      "ifMatch": {
        "name": "If-Match",
        "in": "header",
        "description": "The ETag of an earlier response. The agent is changed only if it has not changed since.",
        "schema": {
          "type": "string"
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
    "headers": {
      "ETag": {
        "description": "Identifies this state of the agent, for If-Match.",
        "schema": {
          "type": "string"
        }
      }
    },
    "schemas": {
      "A2ASendMethod": {
        "title": "A2ASendMethod",
        "description": "The methods that can send a task. The default is `message/send`; some agents need another one.",
        "enum": [
          "message/send",
          "tasks/send",
          "agent/invoke"
        ],
        "x-meanings": {
          "message/send": "A2A since 0.2.",
          "tasks/send": "A2A before 0.2.",
          "agent/invoke": "Agents of the older workflow system."
        }
      },
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
      "SecretReference": {
        "title": "SecretReference",
        "description": "A reference to a secret, never the secret itself: an environment variable, or a file of the secrets folder.",
        "type": "string",
        "pattern": "^(env:AGENT_SECRET_[A-Z0-9_]+|file:[A-Za-z0-9][A-Za-z0-9._-]{0,127})$",
        "not": {
          "pattern": "\\n"
        }
      },
      "ConformanceCheck": {
        "title": "ConformanceCheck",
        "description": "One rule of a protocol, checked against an agent. `problem`, `fix`, `sent` and `received` belong to a failed check; `problem` also says why a check was skipped.",
        "type": "object",
        "required": [
          "id",
          "protocol",
          "title",
          "level",
          "status",
          "rule",
          "source"
        ],
        "properties": {
          "id": {
            "type": "string",
            "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$",
            "not": {
              "pattern": "\\n"
            },
            "maxLength": 64,
            "description": "Stable name, unique within a protocol, for example `id-echoed`."
          },
          "protocol": {
            "$ref": "#/components/schemas/AgentProtocol"
          },
          "title": {
            "type": "string",
            "description": "What a compliant agent does."
          },
          "level": {
            "enum": [
              "must",
              "should"
            ],
            "description": "A failed `must` makes the agent noncompliant; a failed `should` is a warning."
          },
          "status": {
            "enum": [
              "passed",
              "failed",
              "skipped"
            ]
          },
          "rule": {
            "type": "string",
            "description": "The rule, in our words."
          },
          "source": {
            "type": "string",
            "pattern": "^https://[^\\x00-\\x20]+$",
            "not": {
              "pattern": "\\n"
            },
            "description": "Where the rule is written."
          },
          "problem": {
            "type": "string",
            "description": "What the agent did instead."
          },
          "fix": {
            "type": "string",
            "description": "What to change in the agent."
          },
          "sent": {
            "type": "object",
            "required": [
              "method",
              "url"
            ],
            "properties": {
              "method": {
                "type": "string"
              },
              "url": {
                "type": "string"
              },
              "body": {
                "type": "string",
                "description": "At most 4,096 characters. Credentials are never included."
              }
            },
            "additionalProperties": false
          },
          "received": {
            "type": "object",
            "properties": {
              "status": {
                "type": "integer",
                "description": "HTTP status. Absent when the agent did not respond."
              },
              "content_type": {
                "type": "string"
              },
              "body": {
                "type": "string",
                "description": "At most 4,096 characters. Of a stream, the raw events."
              }
            },
            "additionalProperties": false
          }
        },
        "additionalProperties": false
      },
      "ConformanceReport": {
        "title": "ConformanceReport",
        "description": "The result of checking an agent against the protocols that it serves. `compliant` is true when at least one check ran, no `must` failed, and the time limit cut off no `must`.",
        "type": "object",
        "required": [
          "url",
          "protocols",
          "compliant",
          "started_at",
          "duration_ms",
          "summary",
          "checks"
        ],
        "properties": {
          "url": {
            "type": "string",
            "description": "The URL that was checked."
          },
          "agent": {
            "type": "string",
            "description": "Name from the agent card."
          },
          "protocols": {
            "type": "array",
            "maxItems": 8,
            "items": {
              "$ref": "#/components/schemas/AgentProtocol"
            },
            "description": "The protocols that were checked. Empty when the agent speaks none of them."
          },
          "compliant": {
            "type": "boolean"
          },
          "started_at": {
            "$ref": "#/components/schemas/Timestamp"
          },
          "duration_ms": {
            "type": "number",
            "minimum": 0,
            "description": "Milliseconds."
          },
          "summary": {
            "type": "object",
            "required": [
              "passed",
              "failed",
              "warned",
              "skipped"
            ],
            "properties": {
              "passed": {
                "type": "integer",
                "minimum": 0
              },
              "failed": {
                "type": "integer",
                "minimum": 0,
                "description": "Failed checks of level `must`."
              },
              "warned": {
                "type": "integer",
                "minimum": 0,
                "description": "Failed checks of level `should`."
              },
              "skipped": {
                "type": "integer",
                "minimum": 0
              }
            },
            "additionalProperties": false
          },
          "checks": {
            "type": "array",
            "maxItems": 500,
            "items": {
              "$ref": "#/components/schemas/ConformanceCheck"
            }
          }
        },
        "additionalProperties": false
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
      "AgentAuditEntry": {
        "title": "AgentAuditEntry",
        "description": "One change of an agent: who, when and what. Settings contain only the names of secrets.",
        "type": "object",
        "required": [
          "action",
          "revision",
          "at",
          "actor",
          "correlation_id",
          "before",
          "after"
        ],
        "properties": {
          "action": {
            "enum": [
              "created",
              "updated",
              "disabled",
              "enabled",
              "deleted",
              "migrated",
              "rolled_back",
              "canary_ended",
              "canary_promoted"
            ]
          },
          "revision": {
            "type": "integer",
            "minimum": 1,
            "description": "The agent after the change; for a deletion, the agent before it."
          },
          "at": {
            "$ref": "#/components/schemas/Timestamp"
          },
          "actor": {
            "type": "string",
            "minLength": 1,
            "description": "Digest of an admin's token, or an agents file."
          },
          "correlation_id": {
            "$ref": "#/components/schemas/CorrelationId"
          },
          "before": {
            "oneOf": [
              {
                "$ref": "#/components/schemas/AgentSettings"
              },
              {
                "type": "null"
              }
            ]
          },
          "after": {
            "oneOf": [
              {
                "$ref": "#/components/schemas/AgentSettings"
              },
              {
                "type": "null"
              }
            ]
          },
          "reason": {
            "type": "string",
            "minLength": 1,
            "description": "Why Crosszone ended a canary."
          }
        }
      },
      "AgentAuditList": {
        "title": "AgentAuditList",
        "description": "A page of the changes to agents of one name, newest first.",
        "type": "object",
        "required": [
          "entries",
          "total",
          "limit",
          "offset"
        ],
        "properties": {
          "entries": {
            "type": "array",
            "items": {
              "$ref": "#/components/schemas/AgentAuditEntry"
            }
          },
          "total": {
            "type": "integer",
            "minimum": 0,
            "description": "Changes on all pages."
          },
          "limit": {
            "type": "integer",
            "minimum": 1
          },
          "offset": {
            "type": "integer",
            "minimum": 0
          }
        }
      },
      "AgentAuth": {
        "title": "AgentAuth",
        "description": "How Crosszone authenticates to an agent. Secrets are referenced, never included.",
        "type": "object",
        "discriminator": {
          "propertyName": "type"
        },
        "oneOf": [
          {
            "title": "AgentAuthNone",
            "required": [
              "type"
            ],
            "properties": {
              "type": {
                "const": "none"
              }
            },
            "additionalProperties": false
          },
          {
            "title": "AgentAuthBearer",
            "description": "`Authorization: Bearer`.",
            "required": [
              "type",
              "token"
            ],
            "properties": {
              "type": {
                "const": "bearer"
              },
              "token": {
                "$ref": "#/components/schemas/SecretReference"
              }
            },
            "additionalProperties": false
          },
          {
            "title": "AgentAuthApiKey",
            "required": [
              "type",
              "header",
              "value"
            ],
            "properties": {
              "type": {
                "const": "api_key"
              },
              "header": {
                "type": "string",
                "pattern": "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$",
                "not": {
                  "pattern": "\\n"
                },
                "description": "Name of the header that carries the key."
              },
              "value": {
                "$ref": "#/components/schemas/SecretReference"
              }
            },
            "additionalProperties": false
          },
          {
            "title": "AgentAuthBasic",
            "description": "`Authorization: Basic`.",
            "required": [
              "type",
              "username",
              "password"
            ],
            "properties": {
              "type": {
                "const": "basic"
              },
              "username": {
                "type": "string",
                "pattern": "^[^:\\x00-\\x1f\\x7f]{1,255}$",
                "not": {
                  "pattern": "\\n"
                },
                "description": "No colon."
              },
              "password": {
                "$ref": "#/components/schemas/SecretReference"
              }
            },
            "additionalProperties": false
          },
          {
            "title": "AgentAuthOAuth2ClientCredentials",
            "description": "A token fetched with the client credentials of OAuth 2.0, RFC 6749, section 4.4.",
            "required": [
              "type",
              "token_url",
              "client_id",
              "client_secret"
            ],
            "properties": {
              "type": {
                "const": "oauth2_client_credentials"
              },
              "token_url": {
                "$ref": "#/components/schemas/AgentUrl"
              },
              "client_id": {
                "type": "string",
                "minLength": 1,
                "maxLength": 255
              },
              "client_secret": {
                "$ref": "#/components/schemas/SecretReference"
              },
              "scope": {
                "type": "string",
                "description": "Separated by spaces."
              },
              "audience": {
                "type": "string"
              }
            },
            "additionalProperties": false
          },
          {
            "title": "AgentAuthMtls",
            "description": "A client certificate, PEM.",
            "required": [
              "type",
              "cert",
              "key"
            ],
            "properties": {
              "type": {
                "const": "mtls"
              },
              "cert": {
                "$ref": "#/components/schemas/SecretReference"
              },
              "key": {
                "$ref": "#/components/schemas/SecretReference"
              },
              "ca": {
                "$ref": "#/components/schemas/SecretReference"
              }
            },
            "additionalProperties": false
          }
        ]
      },
      "AgentBreaker": {
        "title": "AgentBreaker",
        "description": "When calls to a failing agent are suspended, and for how long.",
        "type": "object",
        "required": [
          "failures",
          "open_ms"
        ],
        "properties": {
          "failures": {
            "type": "integer",
            "minimum": 1,
            "maximum": 1000,
            "description": "Number of failures in a row."
          },
          "open_ms": {
            "type": "integer",
            "minimum": 100,
            "maximum": 600000,
            "description": "Time until the next attempt, milliseconds."
          }
        },
        "additionalProperties": false
      },
      "AgentCanary": {
        "title": "AgentCanary",
        "description": "A share of an agent's tasks that goes to another protocol or URL. The canary ends by itself when it does worse than the rest. Set `protocol`, `url` or both.",
        "type": "object",
        "required": [
          "share",
          "max_error_rate",
          "max_latency_ratio",
          "min_tasks"
        ],
        "properties": {
          "protocol": {
            "$ref": "#/components/schemas/AgentProtocol"
          },
          "url": {
            "$ref": "#/components/schemas/AgentUrl"
          },
          "share": {
            "type": "number",
            "minimum": 0,
            "maximum": 1,
            "description": "Share of the tasks, from 0 to 1. All tasks of a conversation go the same way."
          },
          "max_error_rate": {
            "type": "number",
            "minimum": 0,
            "maximum": 1,
            "description": "How much higher its share of failed tasks can be than that of the other tasks. Default 0.05."
          },
          "max_latency_ratio": {
            "type": "number",
            "minimum": 1,
            "maximum": 1000,
            "description": "How many times longer its median task can take than that of the other tasks. Default 2."
          },
          "min_tasks": {
            "type": "integer",
            "minimum": 1,
            "maximum": 500,
            "description": "Number of its tasks that must have ended before it is judged. Default 20."
          }
        },
        "additionalProperties": false
      },
      "AgentHealth": {
        "title": "AgentHealth",
        "description": "The result of a health probe of an agent.",
        "type": "object",
        "required": [
          "name",
          "status",
          "checked_at",
          "duration_ms"
        ],
        "properties": {
          "name": {
            "$ref": "#/components/schemas/AgentName"
          },
          "status": {
            "enum": [
              "healthy",
              "reachable",
              "unhealthy"
            ],
            "description": "`reachable`: the agent answers but has no agent card."
          },
          "checked_at": {
            "$ref": "#/components/schemas/Timestamp"
          },
          "duration_ms": {
            "type": "number",
            "minimum": 0,
            "description": "Milliseconds."
          },
          "card": {
            "type": [
              "object",
              "null"
            ],
            "description": "The agent card as the agent serves it, of A2A 0.3 or 1.0."
          },
          "problem": {
            "type": "string",
            "description": "What is wrong and what to do."
          }
        }
      },
      "AgentList": {
        "title": "AgentList",
        "description": "A page of the registry, by name.",
        "type": "object",
        "required": [
          "agents",
          "total",
          "limit",
          "offset"
        ],
        "properties": {
          "agents": {
            "type": "array",
            "items": {
              "$ref": "#/components/schemas/AgentRecord"
            }
          },
          "total": {
            "type": "integer",
            "minimum": 0,
            "description": "Agents that match the query, on all pages."
          },
          "limit": {
            "type": "integer",
            "minimum": 1
          },
          "offset": {
            "type": "integer",
            "minimum": 0
          }
        }
      },
      "AgentMigrationEntry": {
        "title": "AgentMigrationEntry",
        "description": "One agent in the result of a migration.",
        "type": "object",
        "required": [
          "name",
          "from",
          "verdict"
        ],
        "properties": {
          "name": {
            "$ref": "#/components/schemas/AgentName"
          },
          "from": {
            "$ref": "#/components/schemas/AgentProtocol"
          },
          "verdict": {
            "enum": [
              "compliant",
              "not_compliant",
              "unchanged",
              "declared_in_file",
              "disabled",
              "rolled_back",
              "changed_since",
              "deleted"
            ],
            "description": "`compliant`: it can be moved. `not_compliant`: see `failed_checks`. `unchanged`: it has the protocol already. `declared_in_file`: change it in AGENTS_FILE. `disabled`: it is not checked and not moved. In a rollback: `rolled_back`, `changed_since` if it was changed after the migration, or `deleted`."
          },
          "failed_checks": {
            "type": "array",
            "maxItems": 100,
            "items": {
              "type": "object",
              "required": [
                "id",
                "title"
              ],
              "properties": {
                "id": {
                  "type": "string",
                  "description": "The check's name."
                },
                "title": {
                  "type": "string",
                  "description": "What a compliant agent does."
                },
                "problem": {
                  "type": "string",
                  "description": "What the agent did instead."
                },
                "fix": {
                  "type": "string",
                  "description": "What to change in the agent."
                }
              },
              "additionalProperties": false
            },
            "description": "The failed checks of level `must`."
          },
          "accepted_checks": {
            "type": "array",
            "maxItems": 100,
            "items": {
              "type": "string"
            },
            "description": "Ids of the failed checks that the request accepts."
          }
        },
        "additionalProperties": false
      },
      "AgentMigrationRequest": {
        "title": "AgentMigrationRequest",
        "description": "A request to move agents to another protocol.",
        "type": "object",
        "required": [
          "to"
        ],
        "properties": {
          "to": {
            "$ref": "#/components/schemas/AgentProtocol"
          },
          "agents": {
            "type": "array",
            "minItems": 1,
            "maxItems": 200,
            "items": {
              "$ref": "#/components/schemas/AgentName"
            },
            "description": "The agents to move. Default: every enabled agent."
          },
          "default": {
            "type": "boolean",
            "description": "Whether new agents without a `protocol` get this one from now on. Requires that every enabled agent complies; can't be combined with `agents`."
          },
          "dry_run": {
            "type": "boolean",
            "description": "Whether to check only."
          },
          "accept": {
            "type": "array",
            "minItems": 1,
            "maxItems": 100,
            "items": {
              "type": "string",
              "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$",
              "not": {
                "pattern": "\\n"
              },
              "maxLength": 64
            },
            "description": "Ids of checks that agents may fail, for known faults that you accept, for example of a library. The audit trail names them."
          }
        },
        "additionalProperties": false
      },
      "AgentMigration": {
        "title": "AgentMigration",
        "description": "The result of a migration, or of its rollback.",
        "type": "object",
        "required": [
          "result",
          "to",
          "default_protocol",
          "agents"
        ],
        "properties": {
          "id": {
            "type": "string",
            "format": "uuid",
            "pattern": "^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$",
            "not": {
              "pattern": "\\n"
            },
            "description": "Identifies the stored migration. Absent when nothing was stored."
          },
          "result": {
            "enum": [
              "switched",
              "refused",
              "dry_run",
              "rolled_back"
            ],
            "description": "`refused`: an agent does not comply, and no agent was moved."
          },
          "to": {
            "$ref": "#/components/schemas/AgentProtocol"
          },
          "default_protocol": {
            "$ref": "#/components/schemas/AgentProtocol"
          },
          "agents": {
            "type": "array",
            "items": {
              "$ref": "#/components/schemas/AgentMigrationEntry"
            }
          }
        },
        "additionalProperties": false
      },
      "AgentPrevious": {
        "title": "AgentPrevious",
        "description": "The protocol and URL that an agent had before their last change. A rollback restores them. `at` is when they were replaced.",
        "type": "object",
        "required": [
          "protocol",
          "protocol_config",
          "url",
          "at"
        ],
        "properties": {
          "protocol": {
            "$ref": "#/components/schemas/AgentProtocol"
          },
          "protocol_config": {
            "$ref": "#/components/schemas/AgentProtocolConfig"
          },
          "url": {
            "$ref": "#/components/schemas/AgentUrl"
          },
          "at": {
            "$ref": "#/components/schemas/Timestamp"
          },
          "migration_id": {
            "type": "string",
            "format": "uuid",
            "pattern": "^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$",
            "not": {
              "pattern": "\\n"
            },
            "description": "The migration that replaced them."
          }
        },
        "additionalProperties": false
      },
      "AgentProtocolConfig": {
        "title": "AgentProtocolConfig",
        "description": "Further settings of the agent's adapter.",
        "type": "object",
        "properties": {
          "method": {
            "$ref": "#/components/schemas/A2ASendMethod"
          },
          "version": {
            "type": "string",
            "const": "2.0",
            "description": "The JSON-RPC method."
          }
        },
        "additionalProperties": false
      },
      "AgentRecord": {
        "title": "AgentRecord",
        "description": "An agent as stored in the registry, with all defaults filled in. `canary_since` is when its canary started.",
        "type": "object",
        "required": [
          "id",
          "name",
          "url",
          "description",
          "protocol",
          "protocol_config",
          "auth",
          "timeout_ms",
          "max_concurrency",
          "retry",
          "breaker",
          "enabled",
          "source",
          "revision",
          "created_at",
          "updated_at"
        ],
        "properties": {
          "id": {
            "type": "string",
            "format": "uuid",
            "pattern": "^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$",
            "not": {
              "pattern": "\\n"
            }
          },
          "name": {
            "$ref": "#/components/schemas/AgentName"
          },
          "url": {
            "$ref": "#/components/schemas/AgentUrl"
          },
          "description": {
            "$ref": "#/components/schemas/AgentDescription"
          },
          "protocol": {
            "$ref": "#/components/schemas/AgentProtocol"
          },
          "protocol_config": {
            "$ref": "#/components/schemas/AgentProtocolConfig"
          },
          "auth": {
            "$ref": "#/components/schemas/AgentAuth"
          },
          "timeout_ms": {
            "$ref": "#/components/schemas/AgentTimeout"
          },
          "max_concurrency": {
            "$ref": "#/components/schemas/AgentConcurrency"
          },
          "retry": {
            "$ref": "#/components/schemas/AgentRetry"
          },
          "breaker": {
            "$ref": "#/components/schemas/AgentBreaker"
          },
          "enabled": {
            "type": "boolean",
            "description": "Whether the agent gets tasks."
          },
          "side_effects": {
            "type": "boolean",
            "description": "Whether it changes something outside of Crosszone, for example sends a message or pays. A language model can't call it while the conversation holds content that the person did not write. False when absent."
          },
          "send_thread": {
            "type": "boolean",
            "description": "Whether the first message of a thread to the agent has the earlier messages of the thread, in its metadata. False when absent: the agent gets what the person wrote and nothing else."
          },
          "canary": {
            "$ref": "#/components/schemas/AgentCanary"
          },
          "canary_since": {
            "$ref": "#/components/schemas/Timestamp"
          },
          "previous": {
            "$ref": "#/components/schemas/AgentPrevious"
          },
          "source": {
            "enum": [
              "api",
              "file"
            ],
            "description": "The source of the agent: the registry's API, or the agents file that is read at start."
          },
          "revision": {
            "type": "integer",
            "minimum": 1,
            "description": "Increases by one with each change."
          },
          "created_at": {
            "$ref": "#/components/schemas/Timestamp"
          },
          "updated_at": {
            "$ref": "#/components/schemas/Timestamp"
          }
        },
        "additionalProperties": false
      },
      "AgentRetry": {
        "title": "AgentRetry",
        "description": "How Crosszone retries calls to an agent after transient failures.",
        "type": "object",
        "required": [
          "max_retries",
          "base_ms",
          "max_ms"
        ],
        "properties": {
          "max_retries": {
            "type": "integer",
            "minimum": 0,
            "maximum": 10,
            "description": "Retries after the first call."
          },
          "base_ms": {
            "type": "integer",
            "minimum": 1,
            "maximum": 60000,
            "description": "The first backoff, milliseconds. Each further backoff can be twice as long."
          },
          "max_ms": {
            "type": "integer",
            "minimum": 1,
            "maximum": 600000,
            "description": "The longest backoff, milliseconds."
          }
        },
        "additionalProperties": false
      },
      "AgentSettings": {
        "title": "AgentSettings",
        "description": "The settings of an agent, written by an admin. Omitted members get their defaults.",
        "type": "object",
        "required": [
          "name",
          "url"
        ],
        "properties": {
          "name": {
            "$ref": "#/components/schemas/AgentName"
          },
          "url": {
            "$ref": "#/components/schemas/AgentUrl"
          },
          "description": {
            "$ref": "#/components/schemas/AgentDescription"
          },
          "protocol": {
            "$ref": "#/components/schemas/AgentProtocol"
          },
          "protocol_config": {
            "$ref": "#/components/schemas/AgentProtocolConfig"
          },
          "auth": {
            "$ref": "#/components/schemas/AgentAuth"
          },
          "timeout_ms": {
            "$ref": "#/components/schemas/AgentTimeout"
          },
          "max_concurrency": {
            "$ref": "#/components/schemas/AgentConcurrency"
          },
          "retry": {
            "$ref": "#/components/schemas/AgentRetry"
          },
          "breaker": {
            "$ref": "#/components/schemas/AgentBreaker"
          },
          "enabled": {
            "type": "boolean",
            "description": "Whether the agent gets tasks."
          },
          "side_effects": {
            "type": "boolean",
            "description": "Whether it changes something outside of Crosszone, for example sends a message or pays. A language model can't call it while the conversation holds content that the person did not write. False when absent."
          },
          "send_thread": {
            "type": "boolean",
            "description": "Whether the first message of a thread to the agent has the earlier messages of the thread, in its metadata. False when absent: the agent gets what the person wrote and nothing else."
          },
          "canary": {
            "$ref": "#/components/schemas/AgentCanary"
          }
        },
        "additionalProperties": false
      },
      "AgentTestExchange": {
        "title": "AgentTestExchange",
        "description": "One request to an agent and its response. `request` and `response` are JSON values. A later event of a stream has no `request`; an unanswered request has no `response`. Credentials are never included. A body over 16 KiB is cut and becomes text. A body that is not JSON is text.",
        "type": "object",
        "required": [
          "at",
          "operation",
          "protocol",
          "duration_ms"
        ],
        "properties": {
          "at": {
            "$ref": "#/components/schemas/Timestamp"
          },
          "operation": {
            "enum": [
              "send",
              "poll",
              "subscribe",
              "cancel"
            ],
            "description": "`subscribe` requests the events of a running task."
          },
          "protocol": {
            "$ref": "#/components/schemas/AgentProtocol"
          },
          "duration_ms": {
            "type": "number",
            "minimum": 0,
            "description": "Milliseconds."
          },
          "request": {},
          "status": {
            "type": "integer",
            "description": "HTTP status. Absent when the agent did not respond."
          },
          "response": {},
          "problem": {
            "type": "string",
            "description": "The problem of the exchange."
          }
        }
      },
      "AgentTestRequest": {
        "title": "AgentTestRequest",
        "description": "A request to test an agent. Set exactly one of `agent`, for a registered agent, and `url`, for an agent that is not registered.",
        "type": "object",
        "required": [
          "text"
        ],
        "properties": {
          "agent": {
            "$ref": "#/components/schemas/AgentName"
          },
          "url": {
            "$ref": "#/components/schemas/AgentUrl"
          },
          "protocol": {
            "$ref": "#/components/schemas/AgentProtocol"
          },
          "text": {
            "type": "string",
            "minLength": 1,
            "maxLength": 10000,
            "description": "The question."
          }
        },
        "additionalProperties": false
      },
      "AgentTest": {
        "title": "AgentTest",
        "description": "The result of an agent test: the agent's health, the exchange, and the answer or the failure. `output` is the agent's answer as the bus carries it, any JSON value.",
        "type": "object",
        "required": [
          "status",
          "health",
          "exchanges",
          "duration_ms"
        ],
        "properties": {
          "status": {
            "enum": [
              "answered",
              "failed"
            ]
          },
          "health": {
            "$ref": "#/components/schemas/AgentHealth"
          },
          "exchanges": {
            "type": "array",
            "maxItems": 100,
            "items": {
              "$ref": "#/components/schemas/AgentTestExchange"
            }
          },
          "output": {},
          "failure": {
            "$ref": "#/components/schemas/AgentError"
          },
          "duration_ms": {
            "type": "number",
            "minimum": 0,
            "description": "Milliseconds."
          }
        }
      },
      "AgentUrl": {
        "title": "AgentUrl",
        "description": "URL of the agent, http or https. No credentials, no fragment.",
        "type": "string",
        "maxLength": 2048,
        "pattern": "^https?://[^\\x00-\\x20\\x7f-\\xa0/?#@\\\\]+([/?][^\\x00-\\x20\\x7f-\\xa0#\\\\]*)?$",
        "not": {
          "pattern": "\\n"
        }
      },
      "AgentDescription": {
        "title": "AgentDescription",
        "description": "What the agent can do, for people.",
        "type": "string",
        "maxLength": 4000
      },
      "AgentProtocol": {
        "title": "AgentProtocol",
        "description": "The agent's protocol: `auto` (the default; chosen from the agent card), `a2a-1.0`, `jsonrpc-2.0` (A2A 0.3), `simple-a2a`, or an adapter that was added.",
        "type": "string",
        "pattern": "^[a-z0-9][a-z0-9.-]{0,63}$",
        "not": {
          "pattern": "\\n"
        }
      },
      "AgentTimeout": {
        "title": "AgentTimeout",
        "description": "Timeout of one call, milliseconds.",
        "type": "integer",
        "minimum": 100,
        "maximum": 3600000
      },
      "AgentConcurrency": {
        "title": "AgentConcurrency",
        "description": "Maximum number of concurrent calls of one process to this agent.",
        "type": "integer",
        "minimum": 1,
        "maximum": 1000
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
      }
    }
  }
};
