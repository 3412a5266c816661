package agent_test

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	agent "github.com/crosszone/crosszone/kits/go"
)

func TestEachInvalidRequestGetsItsError(t *testing.T) {
	c := clientOf(t, saying("hi"))
	request := func(changes string) string {
		base := object{"jsonrpc": "2.0", "id": 1, "method": "SendMessage"}
		var changed object
		if err := json.Unmarshal([]byte(changes), &changed); err != nil {
			t.Fatal(err)
		}
		for name, value := range changed {
			base[name] = value
		}
		return string(encode(base))
	}
	message := func(changes string) string {
		return request(`{"params":{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"hi"}],` + changes + `}}}`)
	}
	for body, code := range map[string]int{
		"{":        -32700,
		"{} {}":    -32700,
		"\"\xff\"": -32700,
		strings.Repeat("[", 100) + strings.Repeat("]", 100): -32600,
		"[]":                                      -32600,
		request(`{"jsonrpc":"1.0"}`):              -32600,
		request(`{"id":{}}`):                      -32600,
		request(`{"id":true}`):                    -32600,
		request(`{"method":1}`):                   -32600,
		request(`{"method":"message/send"}`):      -32601,
		request(`{"params":[]}`):                  -32602,
		request(`{}`):                             -32602,
		message(`"messageId":""`):                 -32602,
		message(`"role":"user"`):                  -32602,
		message(`"parts":[]`):                     -32602,
		message(`"parts":[{}]`):                   -32602,
		message(`"parts":[{"text":1}]`):           -32602,
		message(`"parts":[{"text":"","data":1}]`): -32602,
		message(`"parts":[{"raw":"?"}]`):          -32602,
		message(`"contextId":1`):                  -32602,
		message(`"metadata":1`):                   -32602,
		message(`"taskId":"unknown"`):             -32001,
		message(`"parts":[{"raw":"aGk=","mediaType":"image/png"}]`):                                                                                      -32005,
		request(`{"params":{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"hi"}]},"configuration":{"historyLength":-1}}}`):              -32602,
		request(`{"params":{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"hi"}]},"configuration":{"taskPushNotificationConfig":{}}}}`): -32003,
		request(`{"method":"CreateTaskPushNotificationConfig"}`):                                                                                         -32003,
		request(`{"method":"GetExtendedAgentCard"}`):                                                                                                     -32004,
		request(`{"method":"GetTask"}`):                                                                                                                  -32602,
		request(`{"method":"ListTasks","params":{"pageSize":0}}`):                                                                                        -32602,
		request(`{"method":"ListTasks","params":{"status":"working"}}`):                                                                                  -32602,
		request(`{"method":"ListTasks","params":{"statusTimestampAfter":"yesterday"}}`):                                                                  -32602,
	} {
		status, answer := c.post([]byte(body))
		if status != 200 || at(answer, "error", "code") != float64(code) {
			t.Errorf("%s: wanted %d, got %d %s", body, code, status, encode(answer))
		}
	}
}

func TestAnErrorOf10HasTypedDetailsAndOneOf03HasNot(t *testing.T) {
	c := clientOf(t, saying("hi"))
	equal(t, "TASK_NOT_FOUND", at(c.call("GetTask", object{"id": "x"}), "error", "data", 0, "reason"))
	equal(t, "id", at(c.call("GetTask", object{"id": 1}), "error", "data", 0, "fieldViolations", 0, "field"))
	older := c.with("A2A-Version", "").call("tasks/get", object{"id": "x"})
	equal(t, []any{-32001, nil}, []any{at(older, "error", "code"), at(older, "error", "data")})
}

func TestVersionIsAHeaderOrAParameterAndItsPatchDoesNotCount(t *testing.T) {
	c := clientOf(t, saying("hi"))
	codes := []any{}
	for _, version := range []string{"1.0", "1.0.1", "", "0.3", "2.0"} {
		codes = append(codes, at(c.with("A2A-Version", version).call("GetTask", object{"id": "x"}), "error", "code"))
	}
	equal(t, []int{-32001, -32001, -32601, -32601, -32009}, codes)
	body := encode(object{"jsonrpc": "2.0", "id": 1, "method": "GetTask", "params": object{"id": "x"}})
	text, _ := io.ReadAll(c.with("A2A-Version", "").request("POST", "/?A2A-Version=1.0", body).Body)
	if !strings.Contains(string(text), "-32001") {
		t.Errorf("got %s", text)
	}
}

func TestAClientOf03GetsItsOwnShapes(t *testing.T) {
	c := clientOf(t, func(_ context.Context, m agent.Message, task *agent.Task) (string, error) {
		task.File("a.txt", "text/plain", []byte("hi"))
		return m.Text, task.Data([]int{1})
	}).with("A2A-Version", "")
	parts := []object{{"kind": "text", "text": "hi"}, {"kind": "data", "data": object{"a": 1}}}
	message := object{"kind": "message", "messageId": "m", "role": "user", "parts": parts}
	events := rest(c.events("message/stream", object{"message": message}))
	equal(t, []any{"task", "working"}, []any{events[0]["kind"], at(events[0], "status", "state")})
	last := events[len(events)-1]
	equal(t, []any{"status-update", true, "completed"}, []any{last["kind"], last["final"], at(last, "status", "state")})
	whole := c.call("tasks/get", object{"id": events[0]["id"], "historyLength": 1})["result"]
	equal(t, parts, at(whole, "history", 0, "parts"))
	file := object{"kind": "file", "file": object{"bytes": "aGk=", "mimeType": "text/plain", "name": "a.txt"}}
	equal(t, file, at(whole, "artifacts", 0, "parts", 0))
	equal(t, object{"kind": "data", "data": object{"value": []int{1}}}, at(whole, "artifacts", 1, "parts", 0))
	message["role"] = "ROLE_USER"
	equal(t, -32602, at(c.call("message/send", object{"message": message}), "error", "code"))
}

func TestARequestWithoutAnIDRunsNothingAndGetsNoResponse(t *testing.T) {
	c := clientOf(t, saying("hi"))
	status, answer := c.post(encode(object{"jsonrpc": "2.0", "method": "SendMessage", "params": paramsOf("go", nil, nil)}))
	equal(t, []any{204, nil}, []any{status, answer})
	equal(t, 0, at(c.call("ListTasks", object{}), "result", "totalSize"))
}

func TestTheCardHasTheURLOfItsRequestAndIsCached(t *testing.T) {
	mux := http.NewServeMux()
	mux.Handle("/mounted/", agent.New(agent.Card{Name: "Mounted", Description: "Is mounted."}, saying("hi")))
	c := clientOf(t, saying("hi"))
	first := c.request("GET", "/mounted/.well-known/agent-card.json", nil)
	var card object
	if err := json.NewDecoder(first.Body).Decode(&card); err != nil {
		t.Fatal(err)
	}
	equal(t, c.url+"/mounted/", card["url"])
	equal(t, "1.0", at(card, "supportedInterfaces", 0, "protocolVersion"))
	equal(t, "agent", at(card, "skills", 0, "tags", 0))
	again := c.with("If-None-Match", first.Header.Get("ETag")).request("GET", "/mounted/.well-known/agent-card.json", nil)
	equal(t, 304, again.StatusCode)
}

func TestWhatIsNoRequestOfJSONRPCGetsAStatus(t *testing.T) {
	c := clientOf(t, saying("hi"), agent.Options{MaxBodyBytes: 1000})
	equal(t, 405, c.request("GET", "/", nil).StatusCode)
	equal(t, 415, c.with("Content-Type", "text/plain").request("POST", "/", []byte("{}")).StatusCode)
	status, large := c.post([]byte(strings.Repeat(" ", 2_000_000)))
	equal(t, []any{413, -32600}, []any{status, at(large, "error", "code")})
	text, _ := io.ReadAll(c.request("GET", "/healthz", nil).Body)
	equal(t, `{"status":"ok"}`, string(text))
}

func TestCallersWithDifferentTokensDoNotSeeEachOthersTasks(t *testing.T) {
	c := clientOf(t, saying("hi"), agent.Options{Tokens: []string{"one", "other"}})
	one, other := c.with("Authorization", "Bearer one"), c.with("Authorization", "Bearer other")
	stranger := c.with("Authorization", "Bearer another").request("POST", "/", []byte("{}"))
	equal(t, []any{401, "Bearer"}, []any{stranger.StatusCode, stranger.Header.Get("WWW-Authenticate")})
	equal(t, 401, c.with("Authorization", "Basic one").request("POST", "/", []byte("{}")).StatusCode)
	task := one.send("go", object{"messageId": "same"}, nil)
	if task["id"] == other.send("go", object{"messageId": "same"}, nil)["id"] {
		t.Error("Two callers have one task.")
	}
	equal(t, -32001, at(other.call("GetTask", object{"id": task["id"]}), "error", "code"))
	equal(t, 1, at(other.call("ListTasks", object{}), "result", "totalSize"))
}

func TestStoppingLetsARunningTaskEnd(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	mayEnd := make(chan struct{})
	a := agent.New(agent.Card{Name: "Slow", Description: "Is slow."}, func(context.Context, agent.Message, *agent.Task) (string, error) {
		<-mayEnd
		return "done", nil
	})
	ctx, stop := context.WithCancel(context.Background())
	stopped := make(chan error, 1)
	go func() { stopped <- a.ListenAndServe(ctx, address) }()
	c := client{t, "http://" + address, map[string]string{"Content-Type": "application/json", "A2A-Version": "1.0"}}
	for {
		if connection, err := net.Dial("tcp", address); err == nil {
			connection.Close()
			break
		}
	}
	next := c.events("SendStreamingMessage", paramsOf("go", nil, nil))
	next()
	stop()
	refused := func() bool {
		_, answer := c.post(encode(object{"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": paramsOf("go", nil, object{"returnImmediately": true})}))
		said, _ := at(answer, "error", "message").(string)
		return strings.Contains(said, "shutting down")
	}
	for end := time.Now().Add(10 * time.Second); !refused(); {
		if time.Now().After(end) {
			t.Fatal("New tasks are not refused.")
		}
	}
	close(mayEnd)
	events := rest(next)
	equal(t, "TASK_STATE_COMPLETED", at(events[len(events)-1], "statusUpdate", "status", "state"))
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}
