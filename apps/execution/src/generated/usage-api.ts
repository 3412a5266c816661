/* Generated from schemas/ by packages/contracts/scripts/generate.ts. Do not edit; run `pnpm generate`. */
import type { OpenApiDocument } from "@crosszone/admin-api";

/** The OpenAPI 3.1 document of the API of usage. */
export const usageApi: OpenApiDocument = {
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
    "/usage": {
      "get": {
        "operationId": "getUsage",
        "summary": "Sums the language model calls in a time range",
        "parameters": [
          {
            "$ref": "#/components/parameters/limit"
          },
          {
            "$ref": "#/components/parameters/offset"
          },
          {
            "name": "by",
            "in": "query",
            "description": "How to group the calls.",
            "schema": {
              "$ref": "#/components/schemas/UsageGrouping",
              "default": "model"
            }
          },
          {
            "name": "since",
            "in": "query",
            "description": "Start of the range. Default: the beginning of the month, in UTC, in which the range ends, or of this month.",
            "schema": {
              "$ref": "#/components/schemas/Timestamp"
            }
          },
          {
            "name": "until",
            "in": "query",
            "description": "End of the range, exclusive. Default: now. A range has at most 396 days.",
            "schema": {
              "$ref": "#/components/schemas/Timestamp"
            }
          }
        ],
        "responses": {
          "200": {
            "description": "The sums",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/UsageReport"
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
    "/usage/budgets": {
      "get": {
        "operationId": "listBudgets",
        "summary": "Lists the language model budgets and their usage",
        "responses": {
          "200": {
            "description": "The budgets",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/UsageBudgetList"
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
      "Timestamp": {
        "title": "Timestamp",
        "description": "A time, RFC 3339. Without an offset it is UTC.",
        "type": "string",
        "pattern": "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$",
        "not": {
          "pattern": "\\n"
        }
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
      "UsageGrouping": {
        "title": "UsageGrouping",
        "description": "How usage is grouped.",
        "enum": [
          "person",
          "channel",
          "team",
          "agent",
          "model",
          "day"
        ]
      },
      "UsageBudgetList": {
        "title": "UsageBudgetList",
        "description": "The budgets of BUDGETS in their current periods. A budget has one entry for each subject that used it, largest first, at most 50.",
        "type": "object",
        "required": [
          "budgets"
        ],
        "properties": {
          "budgets": {
            "type": "array",
            "items": {
              "$ref": "#/components/schemas/UsageBudget"
            }
          }
        },
        "additionalProperties": false
      },
      "UsageBudget": {
        "title": "UsageBudget",
        "description": "A budget in its current period.",
        "type": "object",
        "required": [
          "scope",
          "period",
          "unit",
          "limit",
          "resets_at"
        ],
        "properties": {
          "scope": {
            "enum": [
              "person",
              "channel",
              "team",
              "agent"
            ],
            "description": "The subject of the budget."
          },
          "period": {
            "enum": [
              "day",
              "month"
            ],
            "description": "In UTC."
          },
          "unit": {
            "enum": [
              "usd",
              "tokens"
            ]
          },
          "limit": {
            "type": "number",
            "exclusiveMinimum": 0,
            "description": "The limit of one person, channel, team or agent in the period: US dollars, or tokens of input and output."
          },
          "used": {
            "type": "number",
            "minimum": 0,
            "description": "Used and reserved amount. Absent in the result for a person if the budget is shared."
          },
          "resets_at": {
            "$ref": "#/components/schemas/Timestamp"
          },
          "subject": {
            "type": "string",
            "description": "The subject of the budget: a Slack id of a person or channel, a digest of a team, or the name of an agent. Absent before the first call."
          },
          "team": {
            "type": [
              "string",
              "null"
            ],
            "description": "Digest of the team of a person or channel."
          }
        }
      },
      "UsageReport": {
        "title": "UsageReport",
        "description": "Language model usage in a time range. Days come in order. Other groups are sorted by cost, then by tokens, largest first.",
        "type": "object",
        "required": [
          "by",
          "since",
          "until",
          "sum",
          "groups",
          "total",
          "limit",
          "offset"
        ],
        "properties": {
          "by": {
            "$ref": "#/components/schemas/UsageGrouping"
          },
          "since": {
            "$ref": "#/components/schemas/Timestamp"
          },
          "until": {
            "$ref": "#/components/schemas/Timestamp",
            "description": "End of the range, exclusive."
          },
          "sum": {
            "$ref": "#/components/schemas/UsageSum",
            "description": "All groups, on all pages."
          },
          "groups": {
            "type": "array",
            "items": {
              "title": "UsageGroup",
              "description": "The calls of one person, channel, team, agent, model or day.",
              "type": "object",
              "required": [
                "key",
                "sum"
              ],
              "properties": {
                "key": {
                  "type": [
                    "string",
                    "null"
                  ],
                  "description": "Slack id of the person or channel, digest of the team, name of the agent, `provider/id` of the model, or the day. Null when the caller gave none."
                },
                "team": {
                  "type": [
                    "string",
                    "null"
                  ],
                  "description": "Digest of the team of a person or channel."
                },
                "sum": {
                  "$ref": "#/components/schemas/UsageSum"
                }
              },
              "additionalProperties": false
            }
          },
          "total": {
            "type": "integer",
            "minimum": 0,
            "description": "Groups, on all pages."
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
      "UsageSum": {
        "title": "UsageSum",
        "description": "Usage of several language model calls.",
        "type": "object",
        "required": [
          "calls",
          "estimated_calls",
          "unpriced_calls",
          "input_tokens",
          "output_tokens",
          "cached_input_tokens",
          "cost"
        ],
        "properties": {
          "calls": {
            "type": "integer",
            "minimum": 0,
            "description": "Number of language model calls, including running ones."
          },
          "estimated_calls": {
            "type": "integer",
            "minimum": 0,
            "description": "Number of calls that the provider did not count: running, stopped, or of a crashed process."
          },
          "unpriced_calls": {
            "type": "integer",
            "minimum": 0,
            "description": "Number of calls of a model without a known price. `cost` does not include them."
          },
          "input_tokens": {
            "type": "integer",
            "minimum": 0
          },
          "output_tokens": {
            "type": "integer",
            "minimum": 0
          },
          "cached_input_tokens": {
            "type": "integer",
            "minimum": 0,
            "description": "Input tokens that the provider read from its cache; part of the input tokens."
          },
          "cost": {
            "type": [
              "number",
              "null"
            ],
            "minimum": 0,
            "description": "US dollars; null when no call has a known price."
          }
        },
        "additionalProperties": false
      }
    }
  }
};
