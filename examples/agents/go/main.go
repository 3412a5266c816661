// An A2A 1.0 agent without a framework: it counts the words of a message.
package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
)

type object = map[string]any

func handle(w http.ResponseWriter, r *http.Request) {
	var call, reply object = nil, object{"jsonrpc": "2.0", "id": nil}
	if json.NewDecoder(r.Body).Decode(&call) != nil || call["method"] != "SendMessage" {
		reply["error"] = object{"code": -32601, "message": "Method not found"}
	} else {
		message := call["params"].(object)["message"].(object)
		text, _ := message["parts"].([]any)[0].(object)["text"].(string)
		answer := fmt.Sprintf("%d words, %d characters", len(strings.Fields(text)), len([]rune(text)))
		reply["result"] = object{"task": object{"id": message["messageId"], "contextId": message["contextId"],
			"status":    object{"state": "TASK_STATE_COMPLETED"},
			"artifacts": []object{{"artifactId": "answer", "parts": []object{{"text": answer}}}}}}
	}
	reply["id"] = call["id"]
	json.NewEncoder(w).Encode(reply)
}

func main() {
	host := "127.0.0.1:" + cmp.Or(os.Getenv("PORT"), "8092")
	card := object{"name": "Word counter", "description": "Counts words.", "version": "1.0.0", "capabilities": object{},
		"supportedInterfaces": []object{{"url": "http://" + host + "/", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}},
		"defaultInputModes":   []string{"text/plain"}, "defaultOutputModes": []string{"text/plain"}, "skills": []object{{"id": "count", "name": "Count words", "description": "Counts words.", "tags": []string{"text"}}}}
	http.HandleFunc("GET /.well-known/agent-card.json", func(w http.ResponseWriter, _ *http.Request) { json.NewEncoder(w).Encode(card) })
	http.HandleFunc("POST /", handle)
	fmt.Println("Listening on http://" + host)
	panic(http.ListenAndServe(host, nil))
}
