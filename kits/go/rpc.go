package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

var versionPattern = regexp.MustCompile(`^(\d+\.\d+)(\.\d+)?$`)

// versionOf returns "1.0" or "0.3" for the value of A2A-Version. Patch numbers don't count; an empty value is 0.3.
func versionOf(asked string) (string, error) {
	if asked == "" {
		return "0.3", nil
	}
	if match := versionPattern.FindStringSubmatch(asked); match != nil && (match[1] == "1.0" || match[1] == "0.3") {
		return match[1], nil
	}
	return "", versionNotSupported(asked)
}

// request is a JSON-RPC request.
type request struct {
	id             any
	isNotification bool
	method         string
	params         object
}

// response is what a request is answered with: a result, events, an error, or nothing for a notification, which no
// method of A2A can be.
type response struct {
	id      any
	version string
	reply   reply
	err     *rpcError
	isEmpty bool
}

func (s *service) respond(ctx context.Context, body []byte, asked, owner string) response {
	answer := response{version: "1.0"}
	parsed, err := parseRequest(body)
	answer.id = parsed.id
	if err == nil {
		var version string
		if version, err = versionOf(asked); err == nil {
			answer.version = version
			if parsed.isNotification {
				return response{isEmpty: true}
			}
			answer.reply, err = s.call(parsed, call{ctx, parsed.params, caller{owner, version, len(body)}})
		}
	}
	if err != nil && !errors.As(err, &answer.err) {
		fmt.Fprintln(os.Stderr, err)
		answer.err = &rpcError{code: -32603, message: "Internal error"}
	}
	return answer
}

func (s *service) call(parsed request, c call) (reply, error) {
	name, hint := parsed.method, ""
	if c.from.version == "0.3" {
		if methods[name] != nil {
			hint = " Send the header A2A-Version: 1.0."
		}
		name = methodsV03[name]
	} else if methodsV03[name] != "" {
		hint = " With A2A-Version 1.0 use its names."
	}
	called := methods[name]
	if called == nil {
		return reply{}, methodNotFound(parsed.method, hint)
	}
	if strings.HasPrefix(parsed.method, "message/") {
		var err error
		if c.params, err = sendParamsToV1(c.params); err != nil {
			return reply{}, err
		}
	}
	return called(s, c)
}

// parseRequest returns the id even of an invalid request, when it has one.
func parseRequest(body []byte) (request, error) {
	var value any
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	if !utf8.Valid(body) || decoder.Decode(&value) != nil {
		return request{}, parseError()
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return request{}, parseError()
	}
	if isDeeper(value, maxDepth) {
		return request{}, invalidRequest(fmt.Sprintf("the body is nested deeper than %d levels.", maxDepth))
	}
	if _, isBatch := value.([]any); isBatch {
		return request{}, invalidRequest("A2A has no batches. Send one request at a time.")
	}
	fields, ok := value.(object)
	if !ok {
		return request{}, invalidRequest("it must be an object.")
	}
	return readRequest(fields)
}

// maxDepth is that of arrays and objects.
const maxDepth = 64

func isDeeper(value any, levels int) bool {
	inner := []any{}
	switch holder := value.(type) {
	case []any:
		inner = holder
	case object:
		inner = slices.Collect(maps.Values(holder))
	default:
		return false
	}
	return levels == 0 || slices.ContainsFunc(inner, func(each any) bool { return isDeeper(each, levels-1) })
}

func readRequest(fields object) (request, error) {
	id, hasID := fields["id"]
	result := request{isNotification: !hasID}
	switch id.(type) {
	case string, json.Number:
		result.id = id
	}
	if fields["jsonrpc"] != "2.0" {
		return result, invalidRequest(`jsonrpc must be "2.0".`)
	}
	if id != nil && result.id == nil {
		return result, invalidRequest("id must be a string or a number.")
	}
	result.method, _ = fields["method"].(string)
	if result.method == "" {
		return result, invalidRequest("method must be a string.")
	}
	result.params = object{}
	if params, ok := fields["params"]; ok {
		if result.params, ok = params.(object); !ok {
			return result, invalidParams("params", "must be an object")
		}
	}
	return result, nil
}

// encode returns the response with a result of its request's version.
func (r response) encode(result object) []byte {
	body := object{"jsonrpc": "2.0", "id": r.id}
	switch {
	case r.err != nil:
		body["error"] = r.err.toJSON(r.version)
	case r.version == "0.3":
		body["result"] = resultFromV1(result)
	default:
		body["result"] = result
	}
	return encodeJSON(body)
}

func encodeJSON(value any) []byte {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err) // Every value was read as JSON, or made here.
	}
	return bytes.TrimRight(buffer.Bytes(), "\n")
}
