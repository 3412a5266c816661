/* Generated from schemas/ by packages/contracts/scripts/generate.ts. Do not edit; run `pnpm generate`. */
import type { OpenApiDocument } from "../api-part.ts";

/** The OpenAPI 3.1 document of what every part of the API has in common. */
export const adminApi: OpenApiDocument = {
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
    "/openapi.json": {
      "get": {
        "operationId": "getDocument",
        "summary": "Returns this document",
        "security": [],
        "responses": {
          "200": {
            "description": "OpenAPI 3.1",
            "content": {
              "application/json": {
                "schema": {
                  "type": "object"
                }
              }
            }
          },
          "404": {
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
      }
    }
  }
};
