// An A2A 1.0 agent without a framework: it counts the words of a message.
package main

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

type object = map[string]any

// What needs stored tasks or streams, which this agent doesn't have.
var codes = map[string]int{"GetTask": -32001, "CancelTask": -32001, "SendStreamingMessage": -32004, "GetExtendedAgentCard": -32004}
var reasons = map[int]string{-32001: "TASK_NOT_FOUND", -32004: "UNSUPPORTED_OPERATION", -32009: "VERSION_NOT_SUPPORTED"}

// call is a JSON-RPC request.
type call struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      any             `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
}

type params struct {
	Message struct {
		MessageID, ContextID, TaskID, Role string
		Parts                              []struct{ Text string }
	}
}

// handle returns the result of a call, or the code of an error.
func handle(c call, version string) (object, int) {
	var p params
	isWrong := json.Unmarshal(c.Params, &p) != nil
	message := p.Message
	switch {
	case c.JSONRPC != "2.0" || c.Method == "":
		return nil, -32600
	case version != "1.0" && !strings.HasPrefix(version, "1.0."):
		return nil, -32009
	case c.Method == "ListTasks":
		return object{"tasks": []object{}, "nextPageToken": "", "pageSize": 50, "totalSize": 0}, 0
	case c.Method != "SendMessage":
		return nil, cmp.Or(codes[c.Method], -32601)
	case isWrong || message.MessageID == "" || message.Role != "ROLE_USER" || len(message.Parts) == 0:
		return nil, -32602
	case message.TaskID != "":
		return nil, -32001
	}
	text := message.Parts[0].Text
	answer := fmt.Sprintf("%d words, %d characters", len(strings.Fields(text)), len([]rune(text)))
	return object{"message": object{"messageId": rand.Text(), "contextId": cmp.Or(message.ContextID, rand.Text()),
		"role": "ROLE_AGENT", "parts": []object{{"text": answer}}}}, 0
}

// respond answers with a JSON-RPC response.
func respond(w http.ResponseWriter, r *http.Request) {
	var c call
	var result object
	code := -32700
	body, _ := io.ReadAll(r.Body)
	if json.Valid(body) {
		code = -32600
		if json.Unmarshal(body, &c) == nil {
			result, code = handle(c, cmp.Or(r.Header.Get("A2A-Version"), "0.3"))
		}
	}
	reply := object{"jsonrpc": "2.0", "id": c.ID, "result": result}
	if code != 0 {
		reason := cmp.Or(reasons[code], "INVALID_REQUEST")
		info := object{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason, "domain": "a2a-protocol.org"}
		reply = object{"jsonrpc": "2.0", "id": c.ID, "error": object{"code": code, "message": reason, "data": []object{info}}}
	}
	send(w, reply)
}

func send(w http.ResponseWriter, body object) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(body)
}

func main() {
	host := "127.0.0.1:" + cmp.Or(os.Getenv("PORT"), "8092")
	card := object{"name": "Word counter", "description": "Counts words.", "version": "1.0.0", "capabilities": object{},
		"supportedInterfaces": []object{{"url": "http://" + host + "/", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}},
		"defaultInputModes":   []string{"text/plain"}, "defaultOutputModes": []string{"text/plain"}, "skills": []object{{"id": "count", "name": "Count words", "description": "Counts words.", "tags": []string{"text"}}}}
	http.HandleFunc("GET /.well-known/agent-card.json", func(w http.ResponseWriter, _ *http.Request) { send(w, card) })
	http.HandleFunc("POST /", respond)
	fmt.Println("Listening on http://" + host)
	panic(http.ListenAndServe(host, nil))
}
