/* Generated from schemas/ by packages/contracts/scripts/generate.ts. Do not edit; run `pnpm generate`. */
import type { OpenApiDocument } from "@crosszone/admin-api";

/** The OpenAPI 3.1 document of the API of MCP servers. */
export const mcpApi: OpenApiDocument = {
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
    "/mcp-servers": {
      "get": {
        "operationId": "listMcpServers",
        "summary": "Lists the MCP servers and their tools",
        "responses": {
          "200": {
            "description": "All servers that are configured or have been seen",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/McpServerList"
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
    "/mcp-servers/{server}/approve": {
      "parameters": [
        {
          "name": "server",
          "in": "path",
          "required": true,
          "schema": {
            "type": "string"
          }
        }
      ],
      "post": {
        "operationId": "approveMcpTools",
        "summary": "Pins the tool definitions that the server lists now",
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "$ref": "#/components/schemas/McpApproval"
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "The server",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/McpServer"
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
      "McpApproval": {
        "title": "McpApproval",
        "description": "Approves tool definitions of one MCP server: all of them or none.",
        "type": "object",
        "required": [
          "tools"
        ],
        "properties": {
          "tools": {
            "type": "object",
            "minProperties": 1,
            "maxProperties": 200,
            "propertyNames": {
              "pattern": "^[A-Za-z0-9_./-]{1,128}$",
              "not": {
                "pattern": "\\n"
              }
            },
            "additionalProperties": {
              "type": "string",
              "pattern": "^[0-9a-f]{64}$",
              "not": {
                "pattern": "\\n"
              }
            },
            "description": "The fingerprint of each tool by its name, as the server lists it now."
          }
        },
        "additionalProperties": false
      },
      "McpServerList": {
        "title": "McpServerList",
        "description": "The MCP servers of the zone, by name.",
        "type": "object",
        "required": [
          "servers"
        ],
        "properties": {
          "servers": {
            "type": "array",
            "items": {
              "$ref": "#/components/schemas/McpServer"
            }
          }
        },
        "additionalProperties": false
      },
      "McpServer": {
        "title": "McpServer",
        "description": "An MCP server and its tools, as the zone last saw them.",
        "type": "object",
        "required": [
          "name",
          "tools"
        ],
        "properties": {
          "name": {
            "type": "string",
            "minLength": 1,
            "description": "Its name in MCP_SERVERS."
          },
          "origin": {
            "type": "string",
            "minLength": 1,
            "description": "URL of the server. Absent when this process has no server of this name in MCP_SERVERS."
          },
          "read_only": {
            "type": "boolean",
            "description": "Whether MCP_READ_ONLY lists the server."
          },
          "tools": {
            "type": "array",
            "items": {
              "$ref": "#/components/schemas/McpTool"
            }
          }
        },
        "additionalProperties": false
      },
      "McpTool": {
        "title": "McpTool",
        "description": "A tool of an MCP server, and whether the assistant can use it.",
        "type": "object",
        "required": [
          "name",
          "state",
          "fingerprint",
          "definition"
        ],
        "properties": {
          "name": {
            "type": "string",
            "pattern": "^[A-Za-z0-9_./-]{1,128}$",
            "description": "The server's name of the tool. The model calls it `<server>_<tool>`.",
            "not": {
              "pattern": "\\n"
            }
          },
          "state": {
            "enum": [
              "pinned",
              "changed",
              "new",
              "gone"
            ],
            "x-meanings": {
              "pinned": "The assistant can use it.",
              "changed": "Its definition is not the pinned one: it is not offered until it is approved.",
              "new": "It came after the server was first seen: it is not offered until it is approved.",
              "gone": "The server doesn't list it now."
            }
          },
          "fingerprint": {
            "type": "string",
            "pattern": "^[0-9a-f]{64}$",
            "description": "SHA-256 of the definition, hex. Send it to approve this definition.",
            "not": {
              "pattern": "\\n"
            }
          },
          "definition": {
            "type": "object",
            "description": "The current or last known definition: name, description, inputSchema, annotations. Untrusted text."
          },
          "pinned_definition": {
            "type": "object",
            "description": "The pinned definition. Present when the definition has changed."
          },
          "approved_by": {
            "type": "string",
            "minLength": 1,
            "description": "Digest of the token that approved it. Absent for tools that were pinned when the server was first seen."
          },
          "approved_at": {
            "$ref": "#/components/schemas/Timestamp"
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
      }
    }
  }
};
