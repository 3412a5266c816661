package agent

import "fmt"

// UserError fails the task with a text that the person may read. Every other error fails it with a fixed text.
type UserError string

func (e UserError) Error() string { return string(e) }

// rpcError is a JSON-RPC error of A2A.
type rpcError struct {
	code    int
	message string
	// reason names the error for A2A 1.0.
	reason string
	// field is the path of an invalid parameter.
	field string
	// status is the HTTP status, 200 when zero.
	status int
}

func (e *rpcError) Error() string { return e.message }

// toJSON returns the member error of a response. Only A2A 1.0 has typed details.
func (e *rpcError) toJSON(version string) object {
	const google = "type.googleapis.com/google.rpc."
	result := object{"code": e.code, "message": e.message}
	if version != "1.0" {
		return result
	}
	if e.field != "" {
		violation := object{"field": e.field, "description": e.message}
		result["data"] = []object{{"@type": google + "BadRequest", "fieldViolations": []object{violation}}}
	} else if e.reason != "" {
		result["data"] = []object{{"@type": google + "ErrorInfo", "reason": e.reason, "domain": "a2a-protocol.org", "metadata": object{}}}
	}
	return result
}

func parseError() *rpcError {
	return &rpcError{code: -32700, message: "Parse error: the body is not JSON in UTF-8."}
}

func invalidRequest(problem string) *rpcError {
	return &rpcError{code: -32600, message: "Invalid request: " + problem}
}

func methodNotFound(method, hint string) *rpcError {
	return &rpcError{code: -32601, message: fmt.Sprintf("Method not found: %s.%s", method, hint)}
}

func invalidParams(field, problem string) *rpcError {
	return &rpcError{code: -32602, message: fmt.Sprintf("Invalid parameters: %s %s", field, problem), field: field}
}

func busy(message string) *rpcError {
	return &rpcError{code: -32000, message: message, status: 503}
}

func taskNotFound(id string) *rpcError {
	return &rpcError{code: -32001, message: fmt.Sprintf("Task not found: %s.", id), reason: "TASK_NOT_FOUND"}
}

func taskNotCancelable(state string) *rpcError {
	return &rpcError{code: -32002, message: fmt.Sprintf("The task can't be canceled: it is %s.", state), reason: "TASK_NOT_CANCELABLE"}
}

func pushNotSupported() *rpcError {
	const message = "This agent sends no push notifications. Poll the task or subscribe to it."
	return &rpcError{code: -32003, message: message, reason: "PUSH_NOTIFICATION_NOT_SUPPORTED"}
}

func unsupportedOperation(message string) *rpcError {
	return &rpcError{code: -32004, message: message, reason: "UNSUPPORTED_OPERATION"}
}

func contentTypeNotSupported(mediaType string) *rpcError {
	message := fmt.Sprintf("This agent doesn't accept %s. Its card lists what it accepts.", mediaType)
	return &rpcError{code: -32005, message: message, reason: "CONTENT_TYPE_NOT_SUPPORTED"}
}

func noExtendedCard(version string) *rpcError {
	if version == "1.0" {
		return unsupportedOperation("This agent has no extended card.")
	}
	return &rpcError{code: -32007, message: "This agent has no extended card."}
}

func versionNotSupported(version string) *rpcError {
	message := fmt.Sprintf("A2A %s is not supported. Supported versions: 1.0, 0.3.", version)
	return &rpcError{code: -32009, message: message, reason: "VERSION_NOT_SUPPORTED"}
}
